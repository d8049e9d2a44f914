import type { Endpoint } from '../endpoint.js';
import { ExtractError } from '../errors/extract-error.js';
import { requireEmptyProof } from '../read/empty-proof.js';
import { noSource, type PageItemSource } from '../read/item-source.js';
import { canonicalJson, type Json } from '../read/json.js';
import type { ReadResult } from '../routes/reading.js';
import { type Attempt, type PageSession, PositionLost } from '../web/page-source.js';
import type { ReadExtent } from './coverage.js';
import { fingerprint, type ListPosition, remembered } from './cursor.js';
import { type EndpointReader, readEndpoint } from './read-endpoint.js';

/** The materials of one page of an answer. */
export interface FetchRequest {
  readonly endpoint: Endpoint;
  readonly identity: Readonly<Record<string, Json>>;
  readonly position: ListPosition;
  readonly limit: number;
  /** True where the next page is asked for as soon as this one is there. */
  readonly readsOn?: boolean | undefined;
  /** The operator's replacements for the platform's dated data; none when left out. */
  readonly overrides?: Json;
  /** Reads in place of this thread; this thread reads when left out. */
  readonly read?: EndpointReader | undefined;
  /** Told of each route that was asked, once the reading has ended. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** One page of an answer, held against the contract. */
export interface PageReading {
  readonly data: unknown;
  /** Where its items stand, in order. */
  readonly sources: readonly PageItemSource[];
  /** Fingerprints of its items. */
  readonly prints: readonly string[];
  readonly next: Json;
  readonly brief: boolean;
  readonly endsEarly: boolean;
  /** What its reader says of how much it read. */
  readonly extent: ReadExtent;
}

/** The items that were not given before, with their fingerprints; `from`: where what counts begins. */
function freshItems(
  items: readonly unknown[],
  { ids = [], sources = [] }: Pick<ReadResult<unknown>, 'ids' | 'sources'>,
  given: readonly string[],
  from: number,
) {
  const seen = new Set(given);
  const prints: string[] = [];
  const fresh: unknown[] = [];
  const freshSources: PageItemSource[] = [];
  for (const [index, item] of items.entries()) {
    const id = ids[index];
    const print = id === undefined ? undefined : fingerprint(id);
    if (print !== undefined) {
      if (seen.has(print)) continue;
      seen.add(print);
      if (index >= from) prints.push(print);
    }
    if (index < from) continue;
    fresh.push(item);
    freshSources.push(sources[index] ?? noSource);
  }
  return { fresh, prints, sources: freshSources };
}

type ReadOnce = ReadResult<unknown> & Required<Pick<ReadResult<unknown>, 'next'>>;

/** Reads the endpoint once. Every list of every endpoint comes this way: an empty one needs a proof. */
async function readOnce(
  request: FetchRequest,
  position: Json,
  session: PageSession,
  beyond = false,
): Promise<ReadOnce> {
  const { endpoint, identity, limit, overrides = null, read = readEndpoint } = request;
  // A page of a list that continues is asked of the route that gave it.
  const refusedLately = position === null ? ((await session.refusedLately?.()) ?? []) : [];
  const question = { identity, limit, position, session, overrides, beyond, refusedLately };
  const reading = await read(endpoint, question);
  const { data, emptyProof = {}, next = null } = reading;
  if (Array.isArray(data) && data.length === 0) requireEmptyProof(emptyProof, position === null);
  return { ...reading, next };
}

/** What is said of a reading; `repeats`: it leads to what was given before, and so nowhere. */
function turnsOf({ next, brief = false, endsEarly = false, ...said }: ReadOnce, repeats: boolean) {
  const { total = null, ended = 'unknown', ignored = [], rounded = [] } = said;
  const goesOn = next !== null && !repeats;
  const why = next === null ? ended : repeats ? 'repeated' : 'more';
  const extent: ReadExtent = { total, ended: why, ignored, rounded };
  return { next: goesOn ? next : null, brief, endsEarly, extent };
}

/**
 * One page of an answer. Drops items that earlier pages gave, and ends a listing whose source repeats itself or stands
 * still. `beyond`: a browser stands ready for what the list has beyond its beginning.
 */
export async function readPage(
  request: FetchRequest,
  session: PageSession,
  beyond: boolean,
): Promise<PageReading> {
  const { position, seen } = request.position;
  const reading = await readOnce(request, position, session, beyond);
  const { data, next } = reading;
  if (!Array.isArray(data))
    return { data, sources: reading.sources ?? [noSource], prints: [], ...turnsOf(reading, false) };
  const { fresh, prints, sources } = freshItems(data, reading, seen, 0);
  const repeats = data.length > 0 && fresh.length === 0;
  const standsStill = position !== null && canonicalJson(next) === canonicalJson(position);
  return { data: fresh, sources, prints, ...turnsOf(reading, repeats || standsStill) };
}

/** The part behind the last one that visitors are shown. */
const withheldRest: ReadOnce = { data: [], next: null, ended: 'visitors' };

/** Consecutive parts of a list that may hold nothing new before the list counts as ended. */
const maxRepeats = 3;

/**
 * One page of an answer, by a browser. The position may not hold in a new visit, or the listing may have begun
 * otherwise (`anew`). Then the reader goes through the list from its beginning, past what was seen of it.
 */
export async function readVisitedPage(
  request: FetchRequest,
  session: PageSession,
  anew: boolean,
): Promise<PageReading> {
  const { seen } = request.position;
  let at = anew ? null : request.position.position;
  let searching = anew && seen.length > 0;
  // With all that was given still remembered, whatever is not among it is new; else what comes after it.
  let met = seen.length < remembered;
  for (let repeats = 0; ; ) {
    let reading: ReadOnce;
    try {
      reading = await readOnce(request, at, session);
    } catch (error) {
      if (at === null) throw error;
      if (error instanceof ExtractError && error.code === 'platform_restricted' && (met || !searching))
        return { data: [], sources: [], prints: [], ...turnsOf(withheldRest, false) };
      if (!(error instanceof PositionLost) || searching) throw error;
      [at, searching] = [null, true];
      continue;
    }
    const { data, ids = [] } = reading;
    const standsStill = at !== null && canonicalJson(reading.next) === canonicalJson(at);
    const next = standsStill ? null : reading.next;
    if (!Array.isArray(data))
      return { data, sources: reading.sources ?? [noSource], prints: [], ...turnsOf(reading, standsStill) };
    const seenItems = new Set(seen);
    const first = met || !searching ? 0 : ids.findIndex((id) => seenItems.has(fingerprint(id)));
    if (first < 0) {
      if (next === null) throw lost();
      at = next;
      continue;
    }
    if (searching) met = true;
    const { fresh, prints, sources } = freshItems(data, reading, seen, first);
    repeats += 1;
    const goOn =
      fresh.length === 0 && data.length > 0 && next !== null && (searching || repeats < maxRepeats);
    if (!goOn) {
      const hasNothingNew = fresh.length === 0 && data.length > 0;
      return { data: fresh, sources, prints, ...turnsOf(reading, standsStill || hasNothingNew) };
    }
    at = next;
  }
}

const lost = () =>
  new ExtractError(
    'cursor_expired',
    'The list no longer holds what the previous page ended with. Start again from the first page.',
  );
