import { isOutcome } from '../../routes/walk.js';

/** An answer after its retries; it may still be thin. */
export interface RetriedAnswer<T> {
  readonly answer: T;
  /** The answer is still thin: true, but incomplete. */
  readonly thin: boolean;
}

/**
 * Fetches a thin answer again, after each of the pauses in milliseconds: the session now has the cookies that a fresh
 * session lacks. The last answer counts unless it was refused.
 */
export async function retryThinPage<T>(
  fetchAnswer: (afterMs: number) => Promise<T>,
  isThin: (answer: T) => boolean,
  pauses: readonly number[] = [0],
): Promise<RetriedAnswer<T>> {
  let answer = await fetchAnswer(0);
  for (const pause of pauses) {
    if (!isThin(answer)) break;
    try {
      answer = await fetchAnswer(pause);
    } catch (error) {
      if (!isOutcome(error)) throw error;
      break;
    }
  }
  return { answer, thin: isThin(answer) };
}
