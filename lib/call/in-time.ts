import { ExtractError } from '../errors/extract-error.js';
import type { Clock } from '../runtime/clock.js';

/** Cancels work at its deadline, which the work may restart. */
export async function inTime<T>(
  { clock, deadlineMs }: { readonly clock: Clock; readonly deadlineMs: number },
  end: (reason: unknown) => void,
  work: (restart: () => void) => Promise<T>,
): Promise<T> {
  const begin = () => clock.alarm(deadlineMs, () => end(new ExtractError('platform_timeout')));
  let stop = begin();
  try {
    return await work(() => {
      stop();
      stop = begin();
    });
  } finally {
    stop();
  }
}
