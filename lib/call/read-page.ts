import type { Endpoint } from '../endpoint.js';
import { ExtractError } from '../errors/extract-error.js';
import { requireEmptyProof } from '../read/empty-proof.js';
import { noSource, type PageItemSource } from '../read/item-source.js';
import { canonicalJson, type Json } from '../read/json.js';
import type { KnownItems, ReadResult } from '../routes/reading.js';
import { type Attempt, type PageSession, PositionLost } from '../web/page-source.js';
import type { ReadExtent } from './coverage.js';
import { fingerprint, type ListPosition, remembered } from './cursor.js';
import { type EndpointReader, readEndpoint } from './read-endpoint.js';

/** The inputs for reading one page of an answer. */
export interface FetchRequest {
  readonly endpoint: Endpoint;
  readonly identity: Readonly<Record<string, Json>>;
  readonly position: ListPosition;
  readonly limit: number;
  /** The charged account; undefined for samples and checks. */
  readonly account?: string | undefined;
  /** True if the next page will be requested once this one has arrived. */
  readonly readsOn?: boolean | undefined;
  /** Items of a list that need not be completed; the answer is then not cached. */
  readonly knownItems?: KnownItems | undefined;
  /** The operator's replacements for the platform's dated data; none by default. */
  readonly overrides?: Json;
  /** Runs the reading elsewhere than in this thread. */
  readonly read?: EndpointReader | undefined;
  /** Called for each route tried, once the reading has ended. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** One page of an answer, checked against the contract. */
export interface PageReading {
  readonly data: unknown;
  readonly sources: readonly PageItemSource[];
  readonly prints: readonly string[];
  readonly next: Json;
  readonly brief: boolean;
  readonly endsEarly: boolean;
  readonly extent: ReadExtent;
}

/** Returns the items that were not returned before, with their fingerprints, from index `from` on. */
function freshItems(
  items: readonly unknown[],
  { ids = [], sources = [] }: Pick<ReadResult<unknown>, 'ids' | 'sources'>,
  remembered: readonly string[],
  from: number,
) {
  const seenPrints = new Set(remembered);
  const prints: string[] = [];
  const fresh: unknown[] = [];
  const freshSources: PageItemSource[] = [];
  for (const [index, item] of items.entries()) {
    const id = ids[index];
    const print = id === undefined ? undefined : fingerprint(id);
    if (print !== undefined) {
      if (seenPrints.has(print)) continue;
      seenPrints.add(print);
      if (index >= from) prints.push(print);
    }
    if (index < from) continue;
    fresh.push(item);
    freshSources.push(sources[index] ?? noSource);
  }
  return { fresh, prints, sources: freshSources };
}

type ReadOnce = ReadResult<unknown> & Required<Pick<ReadResult<unknown>, 'next'>>;

/** Reads the endpoint once. Every list passes through here: an empty one needs a proof. */
async function readOnce(
  request: FetchRequest,
  position: Json,
  session: PageSession,
  beyond = false,
): Promise<ReadOnce> {
  const { endpoint, identity, limit, knownItems, overrides = null, read: readPart = readEndpoint } = request;
  // Later pages of a list are requested from the route of the first.
  const refusedLately = position === null ? ((await session.refusedLately?.()) ?? []) : [];
  const question = { identity, limit, position, session, overrides, beyond, refusedLately, knownItems };
  const reading = await readPart(endpoint, question);
  const { data, emptyProof = {}, next = null } = reading;
  if (Array.isArray(data) && data.length === 0) requireEmptyProof(emptyProof, position === null);
  return { ...reading, next };
}

/**
 * Returns what to report about a reading. `repeats`: it leads back to items already returned, so it has no next page.
 */
function reportOf({ next, brief = false, endsEarly = false, ...page }: ReadOnce, repeats: boolean) {
  const { total = null, ended = 'unknown', ignored = [], rounded = [] } = page;
  const hasNext = next !== null && !repeats;
  const why = next === null ? ended : repeats ? 'repeated' : 'more';
  const extent: ReadExtent = { total, ended: why, ignored, rounded };
  return { next: hasNext ? next : null, brief, endsEarly, extent };
}

/**
 * Reads one page of an answer. Drops items of earlier pages, and ends a list whose source repeats itself or makes no
 * progress. `beyond`: a browser is available for the rest of the list.
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
    return { data, sources: reading.sources ?? [noSource], prints: [], ...reportOf(reading, false) };
  const { fresh, prints, sources } = freshItems(data, reading, seen, 0);
  const repeats = data.length > 0 && fresh.length === 0;
  const isStuck = position !== null && canonicalJson(next) === canonicalJson(position);
  return { data: fresh, sources, prints, ...reportOf(reading, repeats || isStuck) };
}

/** The part after the last one that visitors may see. */
const withheldRest: ReadOnce = { data: [], next: null, ended: 'visitors' };

/** Consecutive parts without new items that end a list. */
const maxRepeats = 3;

/**
 * Reads one page of an answer with a browser. If the position does not hold in a new visit, or the list starts
 * differently now (`isFresh`), reads the list from its start, past the items already returned.
 */
export async function readVisitedPage(
  request: FetchRequest,
  session: PageSession,
  isFresh: boolean,
): Promise<PageReading> {
  const { seen } = request.position;
  let at = isFresh ? null : request.position.position;
  let searching = isFresh && seen.length > 0;
  // While all returned items are remembered, anything else is new; otherwise only what follows them.
  let isRepeat = seen.length < remembered;
  for (let repeats = 0; ; ) {
    let reading: ReadOnce;
    try {
      reading = await readOnce(request, at, session);
    } catch (error) {
      if (at === null) throw error;
      if (error instanceof ExtractError && error.code === 'platform_restricted' && (isRepeat || !searching))
        return { data: [], sources: [], prints: [], ...reportOf(withheldRest, false) };
      if (!(error instanceof PositionLost) || searching) throw error;
      [at, searching] = [null, true];
      continue;
    }
    const { data, ids = [] } = reading;
    const isStuck = at !== null && canonicalJson(reading.next) === canonicalJson(at);
    const next = isStuck ? null : reading.next;
    if (!Array.isArray(data))
      return { data, sources: reading.sources ?? [noSource], prints: [], ...reportOf(reading, isStuck) };
    const seenItems = new Set(seen);
    const first = isRepeat || !searching ? 0 : ids.findIndex((id) => seenItems.has(fingerprint(id)));
    if (first < 0) {
      if (next === null) throw positionLost();
      at = next;
      continue;
    }
    if (searching) isRepeat = true;
    const { fresh, prints, sources } = freshItems(data, reading, seen, first);
    repeats += 1;
    const continues =
      fresh.length === 0 && data.length > 0 && next !== null && (searching || repeats < maxRepeats);
    if (!continues) {
      const hasNothingNew = fresh.length === 0 && data.length > 0;
      return { data: fresh, sources, prints, ...reportOf(reading, isStuck || hasNothingNew) };
    }
    at = next;
  }
}

const positionLost = () =>
  new ExtractError(
    'cursor_expired',
    'The last item of the previous page is no longer in the list. Start again from the first page.',
  );
