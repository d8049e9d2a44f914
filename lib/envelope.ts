/** `meta` of every success. */
export interface Meta {
  readonly request_id: string;
  readonly credits_charged: number;
  readonly credits_remaining: number;
  /** True when the answer was served from the cache; the price is the same. */
  readonly cached: boolean;
  /** When the data was fetched, ISO 8601 UTC; a cached answer keeps the original value. */
  readonly fetched_at: string;
  /** Pass back as `cursor`; null means the last page. */
  readonly next_cursor: string | null;
}

/** Every success: the data and what the call cost. */
export interface Envelope<Data> {
  readonly data: Data;
  readonly meta: Meta;
}

/** A success before it is spelled out: the data stays serialised until somebody looks into it. */
export interface Answer {
  /** `data` as JSON text. */
  readonly json: string;
  /** What the text was kept in: the same object for every answer from one entry of the cache. */
  readonly kept?: object;
  readonly meta: Meta;
}

/** The envelope as JSON text, spliced around the data's own bytes. */
export function envelopeText(answer: Answer): string {
  return `{"data":${answer.json},"meta":${JSON.stringify(answer.meta)}}`;
}

/** Encoded payloads of kept answers, with the envelope's beginning. */
const encoded = new WeakMap<object, Buffer>();

function beginning({ json, kept }: Answer): Buffer {
  const known = kept === undefined ? undefined : encoded.get(kept);
  if (known !== undefined) return known;
  const bytes = Buffer.from(`{"data":${json},"meta":`);
  if (kept !== undefined) encoded.set(kept, bytes);
  return bytes;
}

/**
 * The envelope as what to send, one after the other: the payload's bytes, which are the same for every answer from one
 * entry of the cache and are copied for none of them, and the rest, which is ASCII (ids, numbers, times and a cursor in
 * base64url).
 */
export function envelopeParts(answer: Answer): readonly [payload: Buffer, rest: string] {
  return [beginning(answer), `${JSON.stringify(answer.meta)}}`];
}

/** The envelope as a value. */
export function envelope<Data>(answer: Answer): Envelope<Data> {
  return { data: JSON.parse(answer.json) as Data, meta: answer.meta };
}
