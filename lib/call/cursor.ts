import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { CachedAnswer } from '../cache/cache.js';
import type { Endpoint } from '../endpoint.js';
import { ExtractError } from '../errors/extract-error.js';
import { canonicalJson, type Json } from '../read/json.js';
import type { Clock } from '../runtime/clock.js';

/** The position at which a list continues, and the items already returned. */
export interface ListPosition {
  readonly position: Json;
  /** Fingerprints of the items returned so far, newest last. */
  readonly seen: readonly string[];
  /** Items on earlier pages. Undefined if all of them are in `seen`. */
  readonly given?: number;
}

export const firstPosition: ListPosition = { position: null, seen: [] };

/** Returns the number of items before this position. */
export const returnedBefore = ({ seen, given = seen.length }: ListPosition) => given;

const lifetimeSeconds = 24 * 60 * 60;
const macBytes = 16;
/** Repetitions further back are not detected. Keeps cursors short enough for a URL. */
export const remembered = 200;
const printBytes = 5;

function mac(secret: Uint8Array, binding: string, payload: Buffer): Buffer {
  return createHmac('sha256', secret)
    .update(binding)
    .update('\0')
    .update(payload)
    .digest()
    .subarray(0, macBytes);
}

/** Returns the digest of a JSON value, independent of the order of its keys. */
export function digest(value: Json): string {
  return hash('sha256', canonicalJson(value), 'base64url');
}

/** Returns a short fingerprint of an item's id. */
export function fingerprint(id: string): string {
  return createHash('sha256').update(id).digest().subarray(0, printBytes).toString('base64url');
}

/**
 * Creates a cursor: opaque, signed, dated and bound to `binding` (the endpoint and its parameters). `now` is in
 * milliseconds.
 */
export function sealCursor(secret: Uint8Array, binding: string, position: ListPosition, now: number): string {
  const last = position.seen.slice(-remembered);
  const second = Math.floor(now / 1000);
  const itemsBefore = returnedBefore(position);
  // While all items are remembered, their number is implied.
  const count = itemsBefore === last.length ? [] : [itemsBefore];
  const payload = Buffer.from(JSON.stringify([second, position.position, last.join(''), ...count]));
  return Buffer.concat([mac(secret, binding, payload), payload]).toString('base64url');
}

/**
 * Opens a cursor. Throws `invalid_cursor` if it is foreign, truncated or altered, and `cursor_expired` after 24 hours.
 */
export function openCursor(secret: Uint8Array, binding: string, cursor: string, now: number): ListPosition {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(macBytes);
  if (
    bytes.toString('base64url') !== cursor ||
    payload.length === 0 ||
    !timingSafeEqual(bytes.subarray(0, macBytes), mac(secret, binding, payload))
  ) {
    throw new ExtractError('invalid_cursor', 'The cursor does not belong to this call.');
  }
  const [sealedAt, position, prints, given] = JSON.parse(payload.toString('utf8')) as [
    number,
    Json,
    string,
    number?,
  ];
  if (now / 1000 - sealedAt > lifetimeSeconds) throw new ExtractError('cursor_expired');
  const width = Math.ceil((printBytes * 4) / 3);
  const fingerprints = prints.match(new RegExp(`.{${width}}`, 'g')) ?? [];
  return { position, seen: fingerprints, ...(given === undefined ? {} : { given }) };
}

export interface CursorContext {
  readonly request: {
    readonly endpoint: Pick<Endpoint, 'path'>;
    readonly identity: Readonly<Record<string, Json>>;
    readonly demo: boolean;
  };
  readonly position: ListPosition;
  readonly services: { readonly clock: Clock; secret(): Promise<Uint8Array> };
}

/** Signs cursors into samples if no data directory can be used. They only lead to samples. */
const sampleSecret = Buffer.from('cursors into the sample pages');

function secretOf({ request, services }: CursorContext): Promise<Uint8Array> {
  return request.demo ? services.secret().catch(() => sampleSecret) : services.secret();
}

/** Returns what a cursor is bound to. Cursors of another endpoint, other parameters or the demo are foreign. */
export function bindingOf({ request }: Pick<CursorContext, 'request'>): string {
  return digest([request.endpoint.path, request.identity, request.demo]);
}

/** Returns the position of a call's cursor. Rejects as `openCursor` throws. */
export async function positionOfCursor(context: CursorContext, cursor: string): Promise<ListPosition> {
  return openCursor(await secretOf(context), bindingOf(context), cursor, context.services.clock.now());
}

/**
 * The latest cursor of an answer, and its second: cursors are dated to the second. Creating one for each call took 40%
 * of the cost of a cached answer (measured 2026-11).
 */
const lastCursors = new WeakMap<CachedAnswer, { readonly second: number; readonly cursor: string }>();

/** Returns the cursor to the page after an answer; null on the last page. */
export async function cursorAfter(context: CursorContext, answer: CachedAnswer): Promise<string | null> {
  if (answer.next === null) return null;
  const now = context.services.clock.now();
  const second = Math.floor(now / 1000);
  const last = lastCursors.get(answer);
  if (last?.second === second) return last.cursor;
  const position = {
    position: answer.next,
    seen: [...context.position.seen, ...answer.prints],
    given: returnedBefore(context.position) + answer.prints.length,
  };
  const cursor = sealCursor(await secretOf(context), bindingOf(context), position, now);
  lastCursors.set(answer, { second, cursor });
  return cursor;
}
