import { readFileSync } from 'node:fs';

/** Milliseconds that the main thread of a process was ready to run and waited for a processor; 0 where no system tells. */
export function waitedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

/**
 * Milliseconds on a clock that stands still while the main thread of a process would run and the machine runs something
 * else: a busy machine, which makes everything take longer, changes little about what is measured by it.
 */
export const ownTime = (pid = process.pid): number => performance.now() - waitedMs(pid);
