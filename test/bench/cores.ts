import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Cluster } from '../support/postgres-cluster.js';

/** Processes of a cluster: its first one, and those that it has begun. */
function processesOf({ folder }: Cluster): readonly number[] {
  const first = Number(readFileSync(path.join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const others = readdirSync('/proc')
    .map(Number)
    .filter((id) => {
      if (!Number.isInteger(id) || id === first) return false;
      try {
        const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === first;
      } catch {
        // It has ended meanwhile.
        return false;
      }
    });
  return [first, ...others];
}

/**
 * Lets a cluster and this process, with what they begin from now on, and other processes use so many cores. So one server
 * with half of them is compared with two that have all: each has its share.
 */
export function confineTo(count: number, cluster: Cluster, others: readonly number[] = []): void {
  for (const id of [process.pid, ...processesOf(cluster), ...others]) {
    execFileSync('taskset', ['-acp', `0-${count - 1}`, String(id)], { stdio: 'ignore' });
  }
}

/** All cores, and half of them. */
export const allCores = os.availableParallelism();
export const halfOfCores = Math.max(1, Math.floor(allCores / 2));
