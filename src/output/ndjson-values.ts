import { pipeline, Readable } from 'node:stream';
import { parse } from 'ndjson';

/** The values of a stream of NDJSON, one after the other. */
export function ndjsonValues<Value>(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Value> {
  // The values end with the error of the stream, too.
  return pipeline(Readable.from(chunks, { objectMode: false }), parse(), () => undefined);
}
