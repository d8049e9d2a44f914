import type { RecordedExchange, RecordedReading } from '../../../lib/web/page-evidence.js';
import { answerMessage, requestMessage } from './http-message.js';
import { recordBytes, sha256 } from './warc-record.js';

export interface StoredBody {
  readonly id: string;
  readonly url: string;
  readonly date: string;
}

/** “The body is identical, byte for byte, to that of the record referred to.” */
const samePayload = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest';
export const readingType = 'application/vnd.public-extract.reading+json';

const field = (id: string) => `<${id}>`;

const sameBody = ({ id, url, date }: StoredBody): Record<string, string> => ({
  'WARC-Profile': samePayload,
  'WARC-Refers-To': field(id),
  'WARC-Refers-To-Target-URI': url,
  'WARC-Refers-To-Date': date,
});

const removedField = (names: readonly string[]): Record<string, string> =>
  names.length === 0 ? {} : { 'Extract-Removed': names.join(', ') };

export function fileRecord(id: string, date: string, software: string): Buffer {
  const text = [
    `software: ${software}`,
    'format: WARC File Format 1.1',
    'conformsTo: https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/',
    'description: Cookies and keys are removed from the headers; Extract-Removed names the headers of each record. Bodies are stored unchanged, decompressed. Records with Extract-By: browser contain the page of a browser, which scripts may have changed; those with Extract-By: sample contain invented pages, which no platform sent.',
    '',
  ].join('\r\n');
  const fields = { 'WARC-Type': 'warcinfo', 'WARC-Record-ID': field(id), 'WARC-Date': date };
  return recordBytes({ ...fields, 'Content-Type': 'application/warc-fields' }, Buffer.from(text));
}

/** Returns the records of an exchange's request and response. `kept` refers to an identical body stored earlier. */
export function exchangeRecords(
  exchange: RecordedExchange,
  ids: { readonly request: string; readonly answer: string },
  digest: string,
  storedBody: StoredBody | undefined,
): readonly [request: Buffer, answer: Buffer] {
  const { url, finalUrl = url, by } = exchange;
  const date = new Date(exchange.at).toISOString();
  const requestText = requestMessage(exchange);
  const answer = answerMessage(exchange);
  const common = { 'WARC-Date': date, ...(by === 'network' ? {} : { 'Extract-By': by }) };
  const request = recordBytes(
    {
      'WARC-Type': 'request',
      'WARC-Record-ID': field(ids.request),
      'WARC-Target-URI': url,
      ...common,
      'WARC-Concurrent-To': field(ids.answer),
      'Content-Type': 'application/http;msgtype=request',
      'WARC-Payload-Digest': sha256(requestText.body),
      ...removedField(requestText.removed),
    },
    Buffer.concat([requestText.head, requestText.body]),
  );
  const fields = {
    'WARC-Record-ID': field(ids.answer),
    'WARC-Target-URI': finalUrl,
    ...common,
    'WARC-Concurrent-To': field(ids.request),
    'Content-Type': 'application/http;msgtype=response',
    'WARC-Payload-Digest': digest,
    ...removedField(answer.removed),
  };
  const bytes =
    storedBody === undefined
      ? recordBytes({ 'WARC-Type': 'response', ...fields }, Buffer.concat([answer.head, answer.body]))
      : recordBytes(
          {
            'WARC-Type': 'revisit',
            ...fields,
            ...sameBody(storedBody),
          },
          answer.head,
        );
  return [request, bytes];
}

/** Returns the record of a reading: the query, and the records of its pages. */
export function readingRecord(id: string, reading: RecordedReading): Buffer {
  return recordBytes(
    {
      'WARC-Type': 'metadata',
      'WARC-Record-ID': field(id),
      'WARC-Target-URI': reading.fetches[0]?.url ?? `urn:public-extract:${reading.endpoint}`,
      'WARC-Date': reading.fetched_at,
      'Content-Type': readingType,
    },
    Buffer.from(JSON.stringify(reading)),
  );
}
