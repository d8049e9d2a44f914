import type { Traces } from '../../../lib/suppressions/traces.js';
import type { RecordedReading } from '../../../lib/web/page-evidence.js';
import type { EvidenceReader } from './evidence-reader.js';
import { parseAnswer } from './http-message.js';
import { readingOf } from './index-segment.js';
import { recordId, type WarcRecord } from './warc-record.js';

/** Returns the ID that readings use for an exchange: its response's. Other records use their own. */
const nameOf = ({ fields }: WarcRecord): string =>
  recordId(fields.get(fields.get('warc-type') === 'request' ? 'warc-concurrent-to' : 'warc-record-id'));

const pagesOf = ({ fetches }: RecordedReading) => fetches.flatMap(({ record }) => record ?? []);

/** A record's fields without references to other records, which are examined separately. */
const nonHeaderFields = (fields: WarcRecord['fields']) =>
  [...fields].flatMap(([name, value]) => (name.startsWith('warc-refers-to') ? [] : [value])).join('\n');

/**
 * Returns the records about a subject: readings that mention it, directly or in a page, and pages that no other reading
 * needs.
 */
export async function namedRecords(archive: EvidenceReader, traces: Traces): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  /** Digests of bodies that mention the subject; other records may refer to them. */
  const bodies = new Set<string>();
  const pages: string[] = [];
  for await (const { record } of archive.records()) {
    const { fields, block } = record;
    const type = fields.get('warc-type');
    // It describes the file itself.
    if (type === 'warcinfo') continue;
    const body = type === 'response' ? parseAnswer(block)?.body : undefined;
    const digest = fields.get('warc-payload-digest') ?? '';
    if (body !== undefined && traces.in(body.toString())) bodies.add(digest);
    const rest = block.subarray(0, block.length - (body?.length ?? 0));
    const reading = readingOf(record);
    const isNamed =
      bodies.has(digest) ||
      traces.in(nonHeaderFields(fields)) ||
      traces.in(rest.toString()) ||
      (reading !== null && pagesOf(reading).some((id) => ids.has(id)));
    if (!isNamed) continue;
    ids.add(nameOf(record));
    if (reading !== null) pages.push(...pagesOf(reading));
  }
  if (ids.size === 0) return ids;
  const unneeded = new Set(pages);
  for await (const { id, reading } of archive.readings()) {
    if (!ids.has(id)) for (const page of pagesOf(reading)) unneeded.delete(page);
  }
  return new Set([...ids, ...unneeded]);
}
