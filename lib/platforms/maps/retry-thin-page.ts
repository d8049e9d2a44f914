import { isOutcome } from '../../routes/walk.js';

export interface RetriedAnswer<T> {
  readonly answer: T;
  /** True if the answer is still thin: correct, but incomplete. */
  readonly thin: boolean;
}

/**
 * Fetches a thin answer again, after each of the pauses in milliseconds, because the session now has cookies. The last
 * answer counts unless it was refused.
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
