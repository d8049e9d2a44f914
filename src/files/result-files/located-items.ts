import type { InputAnswer } from './result-file.js';

/**
 * Returns items as lines. With their sources, each is like the line of a batch, without an input, and the last one has
 * the coverage of the answer.
 */
export const locatedItems = (
  items: readonly unknown[],
  { sources, coverage }: Pick<InputAnswer, 'sources' | 'coverage'>,
): readonly unknown[] =>
  sources === undefined
    ? items
    : items.map((data, at) => ({
        ...{ data, sources: [sources[at]] },
        ...(at === items.length - 1 && coverage !== undefined ? { coverage } : {}),
      }));
