import type { Endpoint } from '../../../lib/endpoint.js';
import type { ItemSource } from '../../../lib/read/item-source.js';
import type { ArchiveReader, FoundReading } from './archive-reader.js';
import { type Derived, derive } from './derive.js';

/**
 * The results of an archive, made anew by the readers of this version: a line for each object or list that was asked
 * for, in the order in which they ended. The input of a line is what was asked for, with its parameters reduced. An
 * error that a later reading of the same made good is left out.
 */
export async function* derivedLines(
  archive: ArchiveReader,
  endpoints: readonly Endpoint[],
): AsyncGenerator<string, void, undefined> {
  for await (const first of archive.firstReadings()) {
    const line = await lineOf(archive, first, endpoints);
    if (line.error !== undefined && archive.index.isRepeated(first.id)) continue;
    yield `${JSON.stringify(line)}\n`;
  }
}

/** The reading, and those that went on with its list. */
async function lineOf(archive: ArchiveReader, first: FoundReading, endpoints: readonly Endpoint[]) {
  const input = first.reading.identity;
  const items: unknown[] = [];
  const sources: ItemSource[] = [];
  let last: Derived | undefined;
  for (let found: FoundReading | null = first; found !== null; ) {
    last = await derive(archive, found, endpoints);
    if (last.error !== null) {
      const records = [found.id, ...found.reading.fetches.flatMap(({ record }) => record ?? [])];
      return { input, error: last.error.toJSON(), records };
    }
    items.push(...last.items);
    sources.push(...last.sources);
    const next = archive.index.nextPage(found.id);
    found = next === undefined ? null : await archive.reading(next.id);
  }
  return { input, data: last?.many === true ? items : items[0], sources };
}
