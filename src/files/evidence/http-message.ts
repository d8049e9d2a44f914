import type { RawHeaders } from '../../../lib/web/headers.js';
import type { RecordedExchange } from '../../../lib/web/page-evidence.js';
import { onOneLine } from './warc-record.js';

const removed = '(removed)';

/** Headers that identify the visitor or grant access. */
const secret = /cookie|authoriz|authenticat|token|csrf|session|secret|verify|api-?key|fb-lsd/;

/** Headers of the transfer; bodies are stored decompressed and in one piece. */
const ofTransfer: ReadonlySet<string> = new Set(['content-encoding', 'transfer-encoding', 'content-length']);

/** A request or a response in HTTP's format. */
export interface HttpMessage {
  readonly head: Buffer;
  readonly body: Buffer;
  readonly removed: readonly string[];
}

function headerLines(headers: RawHeaders): { readonly lines: string[]; readonly removed: string[] } {
  const lines: string[] = [];
  const names = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    for (const one of typeof value === 'string' ? [value] : value) {
      const isSecret = secret.test(name.toLowerCase());
      if (isSecret) names.add(name.toLowerCase());
      lines.push(`${name}: ${isSecret ? removed : onOneLine(one)}\r\n`);
    }
  }
  return { lines, removed: [...names] };
}

function message(firstLine: string, headers: RawHeaders, addedHeaders: string, body: Buffer): HttpMessage {
  const { lines, removed } = headerLines(headers);
  const head = Buffer.from(`${onOneLine(firstLine)}\r\n${lines.join('')}${addedHeaders}\r\n`, 'latin1');
  return { head, body, removed };
}

/** Returns the request of an exchange without cookies and keys. */
export function requestMessage({ url, method, requestHeaders, requestBody }: RecordedExchange): HttpMessage {
  const { host, pathname, search } = new URL(url);
  const body = Buffer.from(requestBody ?? '');
  const length = body.length === 0 ? '' : `content-length: ${body.length}\r\n`;
  return message(`${method} ${pathname}${search} HTTP/1.1`, { host, ...requestHeaders }, length, body);
}

/** Returns the response of an exchange without cookies and keys. Transfer headers get the prefix that archives use. */
export function answerMessage({ status, headers, body }: RecordedExchange): HttpMessage {
  const renamed = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      ofTransfer.has(name.toLowerCase()) ? `x-archive-orig-${name}` : name,
      value,
    ]),
  );
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return message(`HTTP/1.1 ${status} `, renamed, `content-length: ${bytes.length}\r\n`, bytes);
}

/** Parses status, headers and body of a response; null for any other block. A removed header is empty. */
export function parseAnswer(
  block: Buffer,
): { readonly status: number; readonly headers: RawHeaders; readonly body: Buffer } | null {
  const end = block.indexOf('\r\n\r\n');
  const [first = '', ...lines] = block.subarray(0, Math.max(0, end)).toString('latin1').split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(`${first} `)?.[1];
  if (end < 0 || status === undefined) return null;
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const value = line.slice(colon + 1).trim();
    const name = line.slice(0, colon);
    if (colon < 1 || name.toLowerCase() === 'set-cookie') continue;
    headers.set(name, [...(headers.get(name) ?? []), value === removed ? '' : value]);
  }
  return { status: Number(status), headers: Object.fromEntries(headers), body: block.subarray(end + 4) };
}
