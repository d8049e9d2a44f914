import { createHash } from 'node:crypto';

/** A WARC 1.1 record: named fields, and a block of bytes. */
export interface WarcRecord {
  /** Names in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  readonly block: Buffer;
}

const versionLine = 'WARC/1.1\r\n';
const recordEnd = '\r\n\r\n';

/** “sha256:” and hexadecimal digits, as in records and the manifest. */
export const sha256 = (bytes: Uint8Array): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** Makes a text safe for a single header line. */
export const onOneLine = (text: string): string => text.replace(/[\r\n\0]+/g, ' ');

/** Serialises a record with the digest and length of its block. */
export function recordBytes(fields: Readonly<Record<string, string>>, block: Uint8Array): Buffer {
  const allFields = { ...fields, 'WARC-Block-Digest': sha256(block), 'Content-Length': String(block.length) };
  const lines = Object.entries(allFields).map(([name, value]) => `${name}: ${onOneLine(value)}\r\n`);
  return Buffer.concat([Buffer.from(`${versionLine}${lines.join('')}\r\n`), block, Buffer.from(recordEnd)]);
}

/** Parses a record; null if it is invalid or the block does not match its digest. */
export function parseRecord(bytes: Buffer): WarcRecord | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = bytes.subarray(0, end).toString();
  if (!head.startsWith(versionLine)) return null;
  const fields = new Map<string, string>();
  for (const line of head.slice(versionLine.length).split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon < 1) return null;
    fields.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  const block = bytes.subarray(end + 4, -recordEnd.length);
  const isComplete =
    bytes.subarray(-recordEnd.length).toString() === recordEnd &&
    fields.get('content-length') === String(block.length) &&
    fields.get('warc-block-digest') === sha256(block);
  return isComplete ? { fields, block } : null;
}

/** “<urn:uuid:…>” → “urn:uuid:…”, as lines of results refer to a record. */
export const recordId = (field: string | undefined): string => (field ?? '').replace(/^<|>$/g, '');
