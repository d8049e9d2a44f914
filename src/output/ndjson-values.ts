import { pipeline, Readable } from 'node:stream';
import { parse } from 'ndjson';

/** Yields the values of an NDJSON stream. If it is not `strict`, lines that are no JSON are left out. */
export function ndjsonValues<Value>(
  chunks: AsyncIterable<Uint8Array>,
  options?: { readonly strict: boolean },
): AsyncIterable<Value> {
  // The values also end with the error of the stream.
  return pipeline(Readable.from(chunks, { objectMode: false }), parse(options), () => undefined);
}
