import type { Coverage } from '../../../lib/call/coverage.js';
import { returnedBefore } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError, invalidParameter } from '../../../lib/errors/extract-error.js';
import { type ItemSource, sourceTexts } from '../../../lib/read/item-source.js';
import { type Clock, systemClock } from '../../../lib/runtime/clock.js';
import type { RecordedFetch, RecordedReading } from '../../../lib/web/page-evidence.js';
import { exactBody, type SavedRoute, savedSource } from '../../../lib/web/saved-pages.js';
import type { EvidenceReader, FoundReading } from './evidence-reader.js';
import { parseAnswer } from './http-message.js';
import { recordId, sha256, type WarcRecord } from './warc-record.js';

/** The answer that this version reads from archived pages. */
export interface Derived {
  /** The items of a list, or the single object. */
  readonly items: readonly unknown[];
  readonly sources: readonly ItemSource[];
  readonly many: boolean;
  readonly error: ExtractError | null;
  readonly from: number;
  readonly coverage?: Coverage;
}

/** Returns a response's body: its own, or the identical one that its record refers to. */
async function bodyOf(archive: EvidenceReader, { fields }: WarcRecord, payload: Buffer): Promise<Buffer> {
  const refersTo = fields.get('warc-refers-to');
  const original = refersTo === undefined ? null : await archive.record(recordId(refersTo));
  const body = (original === null ? null : parseAnswer(original.block)?.body) ?? payload;
  if (sha256(body) !== fields.get('warc-payload-digest')) {
    const id = recordId(fields.get('warc-record-id'));
    throw invalidParameter(`The body of the record ${id} does not match its digest.`);
  }
  return body;
}

async function routeOf(archive: EvidenceReader, fetch: RecordedFetch): Promise<SavedRoute> {
  const { url, method, body, by, record: id, failure } = fetch;
  const request = { url, method, requestBody: exactBody(body) };
  const browsed = by === 'browser';
  if (failure !== undefined) return { browsed, route: { ...request, failure } };
  const record = id === undefined ? null : await archive.record(id);
  const answer = record === null ? null : parseAnswer(record.block);
  if (record === null || answer === null)
    throw invalidParameter(`The record ${id ?? ''} of ${url} is not in the archive.`);
  const { status, headers } = answer;
  const finalUrl = record.fields.get('warc-target-uri') ?? url;
  return { browsed, route: { ...request, status, headers, finalUrl, file: recordId(id) } };
}

async function pagesOf(archive: EvidenceReader, { fetches }: RecordedReading, clock: Clock) {
  const routes = await Promise.all(fetches.map((fetch) => routeOf(archive, fetch)));
  const readPage = async (id: string) => {
    const record = await archive.record(id);
    if (record === null) throw invalidParameter(`The record ${id} is not in the archive.`);
    return bodyOf(archive, record, parseAnswer(record.block)?.body ?? Buffer.alloc(0));
  };
  return savedSource(readPage, routes, { name: 'page in the archive', clock });
}

/**
 * Reads an archived reading again with this version, without the network. Errors of the platform are outcomes. Throws
 * `invalid_parameter` if the archive lacks a record.
 */
export async function derive(
  archive: EvidenceReader,
  { id, reading }: FoundReading,
  endpoints: readonly Endpoint[],
): Promise<Derived> {
  const { identity, limit, position, overrides, fetched_at } = reading;
  const endpoint = endpoints.find(({ path }) => path === reading.endpoint);
  if (endpoint === undefined)
    throw invalidParameter(`This version does not have the endpoint ${reading.endpoint}.`);
  const clock: Clock = { ...systemClock, now: () => Date.parse(fetched_at) };
  const from = returnedBefore(position) + 1;
  const { many } = endpoint;
  const pages = await pagesOf(archive, reading, clock);
  try {
    const request = {
      endpoint,
      identity,
      limit,
      position,
      ...(overrides === undefined ? {} : { overrides }),
    };
    const { answer } = await fetchAnswer(request, pages, clock);
    const data: unknown = JSON.parse(answer.data);
    const records = [id, ...reading.fetches.flatMap(({ record }) => record ?? [])];
    const texts = sourceTexts(answer.sources ?? '[]', from - 1, answer.fetchedAt, { records });
    const items = many ? (data as readonly unknown[]) : [data];
    const coverage = answer.coverage && {
      coverage: { given: many ? from - 1 + items.length : 1, ...answer.coverage },
    };
    return {
      items,
      sources: JSON.parse(texts.sources) as ItemSource[],
      many,
      error: null,
      from,
      ...coverage,
    };
  } catch (error) {
    if (!(error instanceof ExtractError) || error.code === 'invalid_parameter') throw error;
    return { items: [], sources: [], many, error, from };
  }
}
