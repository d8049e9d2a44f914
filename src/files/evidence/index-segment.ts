import { canonicalJson } from '../../../lib/read/json.js';
import type { RecordedReading } from '../../../lib/web/page-evidence.js';
import { readingType } from './exchange-records.js';
import { parseAnswer } from './http-message.js';
import { type IndexEntry, type IndexedRequest, indexKey, indexUrl } from './index-line.js';
import type { SegmentReader, StoredRecord } from './segment.js';
import type { IndexedReading, RecordIndex } from './sqlite/record-index.js';
import { recordId, sha256, type WarcRecord } from './warc-record.js';

/** Parses the reading in a record; null for any other record. */
export function readingOf({ fields, block }: WarcRecord): RecordedReading | null {
  return fields.get('content-type') === readingType
    ? (JSON.parse(block.toString()) as RecordedReading)
    : null;
}

function indexedReading(reading: RecordedReading): IndexedReading {
  const { endpoint, identity, limit, position, next, error } = reading;
  const queryDigest = (at: RecordedReading['next']) =>
    sha256(Buffer.from(canonicalJson([endpoint, identity, limit, at])));
  return {
    query: queryDigest(position.position),
    next: next === null ? null : queryDigest(next),
    isFirst: position.position === null,
    failed: error !== null,
  };
}

function requestOf({ block }: WarcRecord): IndexedRequest {
  const end = block.indexOf('\r\n\r\n');
  const head = block.subarray(0, end).toString('latin1');
  const contentType = /^content-type: *(.*)$/im.exec(head)?.[1]?.trim() ?? '';
  return { method: head.split(' ', 1)[0] ?? 'GET', body: block.subarray(end + 4).toString(), contentType };
}

const plainRequest: IndexedRequest = { method: 'GET', body: '', contentType: '' };

function entryOf({ fields, block }: WarcRecord, request: WarcRecord | undefined): IndexEntry | null {
  const answer = parseAnswer(block);
  if (answer === null) return null;
  const url = fields.get('warc-target-uri') ?? '';
  const date = fields.get('warc-date') ?? '';
  const source = request === undefined ? plainRequest : requestOf(request);
  const { method } = source;
  const indexedUrl = indexUrl(url, source);
  const type = answer.headers['content-type']?.[0]?.split(';')[0]?.trim();
  return {
    key: indexKey(indexedUrl, date),
    url,
    date,
    mime: fields.get('warc-type') === 'revisit' ? 'warc/revisit' : type || 'unk',
    status: String(answer.status),
    digest: fields.get('warc-payload-digest') ?? '',
    ...(method === 'GET' ? {} : { method, requestBody: indexedUrl.slice(url.length + 1) }),
  };
}

/** Adds a record to the index. `request` is the record before it, if that is a request. */
export function indexRecord(
  index: RecordIndex,
  segment: number,
  { offset, length, record }: Omit<StoredRecord, 'member'>,
  request: WarcRecord | undefined,
): void {
  const type = record.fields.get('warc-type');
  const isAnswer = type === 'response' || type === 'revisit';
  const reading = readingOf(record);
  const entry = isAnswer ? entryOf(record, request) : null;
  index.add({
    ...{ id: recordId(record.fields.get('warc-record-id')), segment, offset, length, entry },
    digest: type === 'response' ? (entry?.digest ?? null) : null,
    reading: reading && indexedReading(reading),
  });
}

/**
 * Adds a segment's records to the index. Returns the number of readable bytes: fewer if a killed process stopped in the
 * middle.
 */
export async function indexSegment(
  index: RecordIndex,
  reader: SegmentReader,
  segment: number,
): Promise<number> {
  let bytes = 0;
  let request: WarcRecord | undefined;
  for await (const stored of reader.records()) {
    indexRecord(index, segment, stored, request);
    request = stored.record.fields.get('warc-type') === 'request' ? stored.record : undefined;
    bytes = stored.offset + stored.length;
  }
  return bytes;
}
