import { readFileSync } from 'node:fs';

/**
 * Milliseconds that the main thread of a process was ready to run and waited for a processor; 0 if the system does not
 * report it.
 */
export function waitedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

/**
 * Milliseconds on a clock that stops while the main thread of a process waits for a processor: a busy machine makes
 * everything take longer, but changes such measurements little.
 */
export const ownTime = (pid = process.pid): number => performance.now() - waitedMs(pid);
