import type { Traces } from '../../../lib/suppressions/traces.js';
import type { ArchivedReading } from '../../../lib/web/page-archive.js';
import type { ArchiveReader } from './archive-reader.js';
import { parseAnswer } from './http-message.js';
import { readingOf } from './index-segment.js';
import { recordId, type WarcRecord } from './warc-record.js';

/** The ID by which readings name an exchange, which is that of its answer; of any other record its own. */
const nameOf = ({ fields }: WarcRecord): string =>
  recordId(fields.get(fields.get('warc-type') === 'request' ? 'warc-concurrent-to' : 'warc-record-id'));

const pagesOf = ({ fetches }: ArchivedReading) => fetches.flatMap(({ record }) => record ?? []);

/** The head of a record without what it says of another one, which is judged by itself. */
const ownFields = (fields: WarcRecord['fields']) =>
  [...fields].flatMap(([name, value]) => (name.startsWith('warc-refers-to') ? [] : [value])).join('\n');

/**
 * The names of the records that go with a subject: readings that name it, or of whose pages one does, and the pages of
 * those that no other reading needs.
 */
export async function namedRecords(archive: ArchiveReader, traces: Traces): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  /** Digests of bodies that name the subject: records that refer to one have it, too. */
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
      traces.in(ownFields(fields)) ||
      traces.in(rest.toString()) ||
      (reading !== null && pagesOf(reading).some((id) => named.has(id)));
    if (!isNamed) continue;
    named.add(nameOf(record));
    if (reading !== null) pages.push(...pagesOf(reading));
  }
  if (named.size === 0) return named;
  const unneeded = new Set(pages);
  for await (const { id, reading } of archive.readings()) {
    if (!named.has(id)) for (const page of pagesOf(reading)) unneeded.delete(page);
  }
  return new Set([...named, ...unneeded]);
}
