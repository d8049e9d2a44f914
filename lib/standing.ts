import { type Asked, bindingOf } from './asked.js';
import type { CachedAnswer } from './cache/cache-store.js';
import type { Clock } from './clock.js';
import { openCursor, type Place, sealCursor } from './cursor.js';

/** Where a call stands in the listing that it asks for. */
export interface Standing {
  readonly asked: Asked;
  /** What is asked about: the parameters', or the sample's. */
  readonly identity: Asked['identity'];
  readonly place: Place;
  readonly services: { readonly clock: Clock; secret(): Promise<Uint8Array> };
}

/** Signs cursors into samples where no data directory can be used: they lead to nothing but samples. */
const sampleSecret = Buffer.from('cursors into the sample pages');

function secretOf({ asked, services }: Standing): Promise<Uint8Array> {
  return asked.demo ? services.secret().catch(() => sampleSecret) : services.secret();
}

const bound = ({ asked, identity }: Standing) => bindingOf(asked.endpoint, identity, asked.demo);

/** Where a cursor that came with the call leads. Rejects as `openCursor` throws. */
export async function placeOf(standing: Standing, cursor: string): Promise<Place> {
  return openCursor(await secretOf(standing), bound(standing), cursor, standing.services.clock.now());
}

/** Cursors that were sealed for kept answers, with their second: an answer that is given often is not sealed each time. */
const sealed = new WeakMap<CachedAnswer, { readonly second: number; readonly cursor: string }>();

/** The cursor to the page after an answer, at once when it is at hand; null for the last page. */
export function nextCursor(standing: Standing, answer: CachedAnswer): string | null | Promise<string> {
  if (answer.next === null) return null;
  const now = standing.services.clock.now();
  const second = Math.floor(now / 1000);
  const known = sealed.get(answer);
  return known?.second === second ? known.cursor : seal(standing, answer, now, second);
}

async function seal(standing: Standing, answer: CachedAnswer, now: number, second: number): Promise<string> {
  const seen = [...standing.place.seen, ...answer.prints];
  const secret = await secretOf(standing);
  const cursor = sealCursor(secret, bound(standing), { position: answer.next, seen }, now);
  sealed.set(answer, { second, cursor });
  return cursor;
}
