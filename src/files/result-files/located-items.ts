import type { InputAnswer } from './result-file.js';

/**
 * Items as lines. With their sources, each is as the line of a batch has it, without an input, and the last one carries
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
