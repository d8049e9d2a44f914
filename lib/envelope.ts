/** `meta` of every success. */
export interface Meta {
  /** Quote it when you ask for help. */
  readonly request_id: string;
  /** The published cost of the endpoint; 0 for a demo call. */
  readonly credits_charged: number;
  /** Balance after the call; 0 for a demo call without a key. */
  readonly credits_remaining: number;
  /** Served from the cache; the price is the same. */
  readonly cached: boolean;
  /** When the data was fetched; a cached answer keeps the value. */
  readonly fetched_at: string;
  /** Pass back as `cursor`; null means the last page. */
  readonly next_cursor: string | null;
}

/** Every success: the data and what the call cost. */
export interface Envelope<Data> {
  /** The object, or the page of the list. */
  readonly data: Data;
  /** What the call cost, and where the next page is. */
  readonly meta: Meta;
}

/** A success before it is spelled out: the data stays serialised until somebody looks into it. */
export interface Answer {
  /** `data` as JSON text. */
  readonly json: string;
  /** What the text was kept in: the same object for every answer from one entry of the cache. */
  readonly kept?: object;
  /** What the call cost, and where the next page is. */
  readonly meta: Meta;
}

/** The envelope as JSON text, spliced around the data's own bytes. */
export function envelopeText(answer: Answer): string {
  return `{"data":${answer.json},"meta":${JSON.stringify(answer.meta)}}`;
}

/** What answers from one entry of the cache have in common, spelled out. */
interface Spelled {
  /** The envelope's beginning and the payload. */
  readonly payload: Buffer;
  /** The `meta` that `end` was made for, and all of it behind the balance. */
  readonly meta: Meta;
  readonly end: string;
}

const spelled = new WeakMap<object, Spelled>();

/** True when two answers say the same of their data: not so once a cursor was sealed anew. */
function endAlike(one: Meta, other: Meta): boolean {
  return (
    one.next_cursor === other.next_cursor &&
    one.fetched_at === other.fetched_at &&
    one.cached === other.cached
  );
}

function spell({ json, kept, meta }: Answer): Spelled {
  const known = kept === undefined ? undefined : spelled.get(kept);
  if (known !== undefined && endAlike(known.meta, meta)) return known;
  const { cached, fetched_at, next_cursor } = meta;
  const payload = known?.payload ?? Buffer.from(`{"data":${json},"meta":`);
  const now = { payload, meta, end: `${JSON.stringify({ cached, fetched_at, next_cursor }).slice(1)}}` };
  if (kept !== undefined) spelled.set(kept, now);
  return now;
}

/**
 * The envelope as what to send, one after the other: the payload's bytes, which are the same for every answer from one
 * entry of the cache and are copied for none of them, and the rest, which is ASCII (ids, numbers, times and a cursor in
 * base64url).
 */
export function envelopeParts(answer: Answer): readonly [payload: Buffer, rest: string] {
  const { request_id, credits_charged, credits_remaining } = answer.meta;
  const { payload, end } = spell(answer);
  const call = `{"request_id":"${request_id}","credits_charged":${credits_charged},"credits_remaining":${credits_remaining},`;
  return [payload, call + end];
}

/** The envelope as a value. */
export function envelope<Data>(answer: Answer): Envelope<Data> {
  return { data: JSON.parse(answer.json) as Data, meta: answer.meta };
}
