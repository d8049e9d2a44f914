import { pipeline, Readable } from 'node:stream';
import { parse } from 'ndjson';

/** Yields the values of an NDJSON stream. Unless `strict`, lines that are not JSON are skipped. */
export function ndjsonValues<Value>(
  chunks: AsyncIterable<Uint8Array>,
  options?: { readonly strict: boolean },
): AsyncIterable<Value> {
  // The values end with the error of the stream.
  return pipeline(Readable.from(chunks, { objectMode: false }), parse(options), () => undefined);
}
