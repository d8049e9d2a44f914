import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { ExtractError } from './errors.js';
import type { Json } from './read/json.js';

/** Where a listing goes on, and which items were given already. */
export interface Place {
  readonly position: Json;
  /** Fingerprints of the items given so far, the newest last. */
  readonly seen: readonly string[];
}

/** The beginning of a listing. */
export const start: Place = { position: null, seen: [] };

const lifetimeSeconds = 24 * 60 * 60;
const macBytes = 16;
/** A repeat farther back than this is not noticed; it keeps a cursor short enough for a URL. */
const remembered = 200;
const printBytes = 5;

function mac(secret: Uint8Array, binding: string, payload: Buffer): Buffer {
  return createHmac('sha256', secret)
    .update(binding)
    .update('\0')
    .update(payload)
    .digest()
    .subarray(0, macBytes);
}

/** Short fingerprint of an item's id. */
export function fingerprint(id: string): string {
  return createHash('sha256').update(id).digest().subarray(0, printBytes).toString('base64url');
}

/**
 * A cursor: opaque, signed, bound to `binding` (the endpoint and what is asked of it) and dated.
 * `now` is in milliseconds.
 */
export function sealCursor(secret: Uint8Array, binding: string, place: Place, now: number): string {
  const seen = place.seen.slice(-remembered).join('');
  const payload = Buffer.from(JSON.stringify([Math.floor(now / 1000), place.position, seen]));
  return Buffer.concat([mac(secret, binding, payload), payload]).toString('base64url');
}

/** Opens a cursor. Throws `invalid_cursor` for a foreign, cut or altered one, `cursor_expired` after 24 hours. */
export function openCursor(secret: Uint8Array, binding: string, cursor: string, now: number): Place {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(macBytes);
  if (
    bytes.toString('base64url') !== cursor ||
    payload.length === 0 ||
    !timingSafeEqual(bytes.subarray(0, macBytes), mac(secret, binding, payload))
  ) {
    throw new ExtractError(
      'invalid_cursor',
      'The cursor does not belong to this call. Pass meta.next_cursor of the previous page unchanged, with the same parameters.',
    );
  }
  const [sealedAt, position, seen] = JSON.parse(payload.toString('utf8')) as [number, Json, string];
  if (now / 1000 - sealedAt > lifetimeSeconds) throw new ExtractError('cursor_expired');
  const width = Math.ceil((printBytes * 4) / 3);
  return { position, seen: seen.match(new RegExp(`.{${width}}`, 'g')) ?? [] };
}
