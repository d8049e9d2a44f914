import { complete } from '../../read/complete.js';

/** An answer after the retry; it may still be thin. */
export interface RetriedAnswer<T> {
  readonly answer: T;
  /** The answer is still thin: true, but incomplete. */
  readonly thin: boolean;
}

/**
 * Fetches a thin answer once more: the session now has the cookies that a fresh session lacks. The
 * second answer counts unless it was refused or only the first was full.
 */
export async function retryThinPage<T>(
  fetchAnswer: () => Promise<T>,
  isThin: (answer: T) => boolean,
): Promise<RetriedAnswer<T>> {
  const first = await fetchAnswer();
  const { items } = await complete([first], isThin, fetchAnswer);
  const [answer = first] = items;
  return { answer, thin: isThin(answer) };
}
