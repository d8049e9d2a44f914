const encodings = [
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/** Converts a text to UTF-8. Excel's “Unicode text” is UTF-16 with a byte order mark. */
export async function* asUtf8(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let decoder: TextDecoder | null | undefined;
  for await (const chunk of chunks) {
    if (decoder === undefined) {
      const found = encodings.find(({ mark }) => mark.every((byte, at) => chunk[at] === byte));
      decoder = found === undefined ? null : new TextDecoder(found.encoding);
    }
    yield decoder === null ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
  }
  if (decoder) yield Buffer.from(decoder.decode());
}
