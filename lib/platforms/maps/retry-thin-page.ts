import { complete } from '../../read/complete.js';

/** An answer that may be slim. */
export interface Fuller<T> {
  readonly answer: T;
  /** It is slim still: true, and not all there is. */
  readonly slim: boolean;
}

/**
 * Asks once more for an answer that came slim: the visit now has the cookies that a fresh session lacks. The
 * second answer counts unless it was refused or only the first was full.
 */
export async function retryThinPage<T>(
  ask: () => Promise<T>,
  isSlim: (answer: T) => boolean,
): Promise<Fuller<T>> {
  const first = await ask();
  const { items } = await complete([first], isSlim, ask);
  const [answer = first] = items;
  return { answer, slim: isSlim(answer) };
}
