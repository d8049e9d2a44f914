import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { site as shortvideo } from '../../lib/platforms/shortvideo/site.js';
import type { BrowserSource } from '../../lib/web/browser/browser-source.js';
import type { Answers, BrowserSite } from './browser-site.js';
import { fromSource } from './from-source.js';

/** Any number of pages whose scripts send requests. */
export const manyPages: Answers = ({ path }) => ({
  body:
    path === '/api/list' ? '{}' : "<!doctype html><title>A page</title><script>fetch('/api/list')</script>",
});

/** A site in a separate process. */
interface SiteApart extends BrowserSite {
  end(): void;
}

/** Serves heavy pages from another process, so that their cost is not counted here. */
export async function siteApart(): Promise<SiteApart> {
  const program = path.join(import.meta.dirname, 'browser-site-program.ts');
  const site = fork(program, { execArgv: [...fromSource], silent: true });
  if (site.stdout === null) throw new Error('The site says nothing.');
  const [line] = (await once(createInterface({ input: site.stdout }), 'line')) as [string];
  return { ...JSON.parse(line), requests: [], tunnels: [], end: () => site.disconnect() };
}

/**
 * Makes this many concurrent calls from five callers. Returns their statuses, and the highest number of open visits.
 */
export async function callsAtOnce(source: BrowserSource, count: number) {
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, source.counts.open);
  }, 5);
  const statuses = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const session = source.open(shortvideo, undefined, { caller: `caller ${at % 5}` });
      const { status } = await session.fetch({ url: `https://www.tiktok.com/page/${at}` });
      session.end();
      return status;
    }),
  );
  clearInterval(watch);
  return { statuses: [...new Set(statuses)], most };
}

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly args: string;
}

/** Reads a process from /proc; null if it has ended or is a zombie. */
function rowOf(pid: string): Row | null {
  try {
    const [, state, parent] = /^\d+ \(.*\) (\S) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    if (state === 'Z' || parent === undefined) return null;
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { pid: Number(pid), parent: Number(parent), args };
  } catch {
    return null;
  }
}

/** Every process of the machine. Systems without these files use their own command. */
function processes(): Row[] {
  if (existsSync('/proc/self/stat')) {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(rowOf)
      .filter((row) => row !== null);
  }
  return execFileSync('ps', ['-Ao', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 1e8 })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((row) => row !== null)
    .map(([, pid, parent, args = '']) => ({ pid: Number(pid), parent: Number(parent), args }));
}

/** The processes below one. */
export function descendantsOf(pid: number): number[] {
  const all = processes();
  const tree = [pid];
  for (const at of tree) for (const one of all) if (one.parent === at) tree.push(one.pid);
  return tree.slice(1);
}

/** Returns the processes that are still running. */
export const stillThere = (pids: readonly number[]) => {
  const all = new Set(processes().map(({ pid }) => pid));
  return pids.filter((pid) => all.has(pid));
};

/** The browsers that a process started. */
export function browsersOf(pid: number): number[] {
  return processes()
    .filter(({ parent, args }) => parent === pid && args.includes('--remote-debugging-pipe'))
    .map((one) => one.pid);
}

/** The processes in which those browsers show pages. */
export function renderersOf(pid: number): number[] {
  const below = new Set(browsersOf(pid).flatMap(descendantsOf));
  return processes()
    .filter((one) => below.has(one.pid) && one.args.includes('--type=renderer'))
    .map((one) => one.pid);
}

/** The arguments of a process and of all below it, a line each. */
export function argumentsBelow(pid: number): string[] {
  const tree = new Set([pid, ...descendantsOf(pid)]);
  return processes()
    .filter((one) => tree.has(one.pid))
    .map(({ args }) => args);
}

/** Kilobytes of a process, counting shared memory proportionally. */
function proportionalKb(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

const descriptors = (pid: number) => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
};

/** The resources of a process's browsers: processes, descriptors, megabytes. */
export function browserLoad(pid: number) {
  const tree = browsersOf(pid).flatMap((one) => [one, ...descendantsOf(one)]);
  const sum = (count: (one: number) => number) => tree.reduce((total, one) => total + count(one), 0);
  return {
    processes: tree.length,
    descriptors: sum(descriptors),
    mb: Math.round(sum(proportionalKb) / 1024),
  };
}
