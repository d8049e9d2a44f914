import type { Clock } from './clock.js';

/** What the work gives, or the error of `late` where it takes longer than `ms`: what comes after that concerns nobody. */
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
