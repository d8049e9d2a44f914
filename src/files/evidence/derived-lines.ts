import { type Coverage, joinCoverage } from '../../../lib/call/coverage.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { ItemSource } from '../../../lib/read/item-source.js';
import type { SuppressedSubjects } from '../../../lib/suppressions/suppressed-subjects.js';
import { type Derived, derive } from './derive.js';
import type { EvidenceReader, FoundReading } from './evidence-reader.js';

/**
 * Yields the results of an archive as this version reads them: one line per object or list, in the order they ended. A
 * line's input is the query in canonical form. Omits errors that a later reading fixed, and suppressed subjects.
 */
export async function* derivedLines(
  archive: EvidenceReader,
  endpoints: readonly Endpoint[],
  suppressed: SuppressedSubjects | null = null,
): AsyncGenerator<string, void, undefined> {
  for await (const first of archive.readings({ firstOnly: true })) {
    const line = await lineOf(archive, first, endpoints, suppressed);
    if (line === null) continue;
    if ('error' in line && archive.index.isRepeated(first.id)) continue;
    yield `${JSON.stringify(line)}\n`;
  }
}

/** Merges a reading with the rest of its list; null for a suppressed subject. */
async function lineOf(
  archive: EvidenceReader,
  first: FoundReading,
  endpoints: readonly Endpoint[],
  suppressed: SuppressedSubjects | null,
) {
  const input = first.reading.identity;
  const endpoint = endpoints.find(({ path }) => path === first.reading.endpoint);
  const names = (item?: unknown, source?: ItemSource) =>
    suppressed !== null && endpoint !== undefined && suppressed.names(endpoint, item, source);
  if (endpoint !== undefined && suppressed?.isRequested(endpoint, input, {})) return null;
  const items: unknown[] = [];
  const sources: ItemSource[] = [];
  const coverages: Coverage[] = [];
  const coverage = (ended: Partial<Coverage> = {}) => {
    const joined = joinCoverage(coverages);
    return joined === undefined ? {} : { coverage: { ...joined, ...ended } };
  };
  let last: Derived | undefined;
  for (let reading: FoundReading | null = first; reading !== null; ) {
    last = await derive(archive, reading, endpoints);
    if (last.error !== null) {
      const records = [reading.id, ...reading.reading.fetches.flatMap(({ record }) => record ?? [])];
      const came = items.length === 0 ? {} : { data: items, sources, ...coverage({ ended: 'refused' }) };
      return { input, ...came, error: last.error.toJSON(), records };
    }
    const remaining = last.items.flatMap((item, at) => (names(item, last?.sources[at]) ? [] : [at]));
    if (!last.many && remaining.length === 0) return null;
    items.push(...remaining.map((at) => last?.items[at]));
    if (last.coverage !== undefined) coverages.push(last.coverage);
    sources.push(...remaining.flatMap((at) => last?.sources[at] ?? []));
    const next = archive.index.nextPage(reading.id);
    reading = next === undefined ? null : await archive.reading(next.id);
  }
  return { input, data: last?.many === true ? items : items[0], sources, ...coverage() };
}
