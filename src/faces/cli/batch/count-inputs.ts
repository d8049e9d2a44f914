import type { Input } from '../../../files/batch-files/input.js';
import { openSource, readInputs } from '../../../files/batch-files/read-inputs.js';
import { answersOf } from './batch-inputs.js';
import type { BatchCommandOptions } from './batch-options.js';

/** Larger files are not counted, because a second read would take over a second; progress shows the share read. */
const maxCountedBytes = 64 * 1024 * 1024;

/** Counts the inputs of a file. Undefined for a stream, a large file, and one that cannot be read to its end. */
export async function countInputs(
  {
    input,
    inputFormat: format,
    endpoint,
    map,
    chained,
    addressed,
  }: Pick<BatchCommandOptions, 'input' | 'inputFormat' | 'endpoint' | 'map' | 'chained' | 'addressed'>,
  isStopped: () => boolean,
): Promise<number | undefined> {
  if (addressed !== undefined) return addressed.inputs.length;
  if (input === null) return undefined;
  try {
    const source = await openSource(input);
    try {
      if (source.size === undefined || source.size > maxCountedBytes) return undefined;
      let last: Input | undefined;
      const onBlank = () => undefined;
      const reading = {
        format,
        endpoint,
        map,
        ofAnswers: answersOf({ chained }),
        nameOf: () => 'query',
        onBlank,
      };
      for await (const one of readInputs(source.chunks, reading)) {
        if (isStopped()) return undefined;
        last = one;
      }
      return last === undefined ? 0 : last.index + 1;
    } finally {
      await source.close();
    }
  } catch {
    // The batch reads the same file and reports the problem.
    return undefined;
  }
}
