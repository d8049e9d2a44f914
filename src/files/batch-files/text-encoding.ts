const encodings = [
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/** Returns the bytes of a text as UTF-8. Excel's “Unicode text” is UTF-16, which its byte order mark tells. */
export async function* asUtf8(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let decoder: TextDecoder | null | undefined;
  let head = Buffer.alloc(0);
  for await (const chunk of chunks) {
    let bytes = chunk;
    if (decoder === undefined) {
      // A pipe may split the mark.
      head = Buffer.concat([head, chunk]);
      if (head.length < 2) continue;
      const encoding = encodings.find(({ mark }) => mark.every((byte, at) => head[at] === byte));
      decoder = encoding === undefined ? null : new TextDecoder(encoding.encoding);
      bytes = head;
    }
    yield decoder === null ? bytes : Buffer.from(decoder.decode(bytes, { stream: true }));
  }
  if (decoder) yield Buffer.from(decoder.decode());
  else if (decoder === undefined && head.length > 0) yield head;
}

/** The encodings of Excel's “CSV” on Windows in Western Europe and America, and of its “CSV (Macintosh)”. */
const legacyEncodings = {
  'windows-1252': 'Windows-1252',
  macintosh: 'Mac OS Roman',
} as const;

export type LegacyEncoding = keyof typeof legacyEncodings;

/**
 * Bytes that no Western text has: control characters, and four letters in a row that are not ASCII, as in Cyrillic or
 * Chinese encodings.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const notWestern = /[\x00-\x08\x0e-\x1f\x7f]|[\xa1-\xff]{4}/;
/** Bytes without a character, and signs within a word, such as the `Ž` that `é` of another encoding would become. */
const notWindows1252 = /[\x81\x8d\x8f\x90\x9d]|[a-z][\x80\x82-\x84\x86-\x8e\x95\x98\x9f][a-z]?/;

/** A line that was decoded from an older encoding. */
export interface DecodedLine {
  readonly number: number;
  readonly text: string;
  readonly encoding: string;
}

/** Decodes lines that are not UTF-8; null for one that is not Western text either. Reports the first. */
export function legacyDecoder(
  encoding: LegacyEncoding,
  onDecoded: (line: DecodedLine) => void,
): (bytes: Uint8Array, number: number) => string | null {
  const decoder = new TextDecoder(encoding);
  let isFirst = true;
  return (bytes, number) => {
    const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    if (notWestern.test(raw) || (encoding === 'windows-1252' && notWindows1252.test(raw))) return null;
    const text = decoder.decode(bytes);
    if (isFirst) onDecoded({ number, text, encoding: legacyEncodings[encoding] });
    isFirst = false;
    return text;
  };
}
