import type { InputAnswer } from './result-file.js';

/**
 * Returns items as lines. With sources, a line is like a batch's without an input, and the last one has the answer's
 * coverage.
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
