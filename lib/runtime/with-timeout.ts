import type { Clock } from './clock.js';

/** Resolves as the work does; rejects with the error of `late` if it takes longer than `ms` milliseconds. */
export async function withTimeout<T>(
  work: Promise<T>,
  ms: number,
  clock: Pick<Clock, 'alarm'>,
  late: () => Error,
): Promise<T> {
  work.catch(() => undefined);
  let disarm = () => {};
  const timeout = new Promise<never>((_, reject) => {
    disarm = clock.alarm(ms, () => reject(late()), false);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    disarm();
  }
}
