import type { KnownItemsOfList, ReadsOn } from '../../../lib/batch/run-input.js';
import { parseCallRequest } from '../../../lib/call/call-request.js';
import { bindingOf, fingerprint } from '../../../lib/call/cursor.js';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { keepItems, type Line } from '../line.js';
import type { SeenMemory } from '../step.js';
import { compare, type KnownState, stateAfter } from './compare.js';
import type { Observation } from './observation.js';
import { readsOn } from './read-on.js';
import { type SeenCounts, type SeenObservation, seenObservation, unseenItemsOf } from './seen.js';

type Params = Readonly<Record<string, unknown>>;

export interface OnlyNewRunOptions {
  readonly endpoint: Endpoint;
  readonly memory: Pick<SeenMemory, 'lookUp' | 'remember'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Read whole lists the first time, and later up to the first page without news. */
  readonly all: boolean;
  /** Changed counts alone are news, too. */
  readonly counts: boolean;
}

interface ReadItems extends Pick<Answer, 'json' | 'prints' | 'sources'> {
  /** True for the platform's own end of the list. */
  readonly isWhole?: boolean | undefined;
  readonly isBrief?: boolean | undefined;
  readonly calls?: number;
  readonly source?: Answer['source'] | null;
}

/**
 * Returns an observation without items, to look up whether its list or object was read before. Throws the
 * `invalid_request` errors.
 */
export function questionOf(endpoint: Endpoint, params: Params, texts: boolean): Observation {
  const request = parseCallRequest(endpoint, params, texts);
  return {
    ...{ endpoint: endpoint.path, object: '', question: bindingOf({ request }), label: '', items: [] },
    ...{ at: 0, pages: 1, isWhole: false, isBrief: false, isCached: false },
  };
}

interface Pending {
  readonly index: number;
  readonly reading: SeenObservation;
}

/**
 * A run that returns only what no earlier run under its name returned. Items are remembered only when the caller
 * reports them as safe, so a killed run loses nothing.
 */
export class OnlyNewRun {
  readonly #options: OnlyNewRunOptions;
  readonly #read = new WeakMap<Params, number>();
  #pending: Pending[] = [];
  /** By query: the state including pending observations, and the input that changed it last. */
  readonly #states = new Map<string, { readonly index: number; readonly state: KnownState }>();
  /** Queries whose lists were read to their end. One reading counts once, however many inputs share it. */
  readonly #ended = new Set<string>();
  #counts: SeenCounts = { new: 0, changed: 0, unchanged: 0, removed: 0 };

  constructor(options: OnlyNewRunOptions) {
    this.#options = options;
  }

  get counts(): SeenCounts {
    return this.#counts;
  }

  /** Decides after each page of a list whether to read the next one. */
  readonly readsOn: ReadsOn = async ({ params, texts }, answer) => {
    const { endpoint, memory, all } = this.#options;
    if (!endpoint.many) return false;
    const observed = this.#observe(params, texts, { ...answer, source: null });
    const { state, observation } = await memory.lookUp(observed.observation);
    const before = this.#read.get(params) ?? 0;
    this.#read.set(params, before + observation.items.length);
    const isNew = observation.items.map(({ key }) => state.appearances.get(key)?.isRemoved !== false);
    return readsOn({ before, isNew }, { all, isKnown: state.subject !== null });
  };

  /** Items that an earlier run returned, whose own pages need not be read again. */
  readonly knownItems: KnownItemsOfList = async ({ params, texts }, ids) => {
    const { endpoint, memory } = this.#options;
    const items = ids.map((id) => ({
      ...{ key: id, id, url: null, fields: null, position: 0, fetchedAt: 0 },
      earlierKeys: [fingerprint(id)],
    }));
    const { state, observation } = await memory.lookUp({ ...questionOf(endpoint, params, texts), items });
    const isPresent = (key: string) => state.appearances.get(key)?.isRemoved === false;
    return new Set(observation.items.flatMap(({ id, key }) => (isPresent(key) ? [id] : [])));
  };

  /** Returns the part of a line that neither an earlier run nor an earlier input returned. */
  async unseenPart<L extends Line>(line: L): Promise<L> {
    const { endpoint, memory } = this.#options;
    const { item, json } = line;
    if (json === null || item.params === null) return line;
    const isWhole = line.isWhole === true && item.partOf === undefined;
    const observed = this.#observe(item.partOf ?? item.params, item.texts === true, {
      ...line,
      json,
      isWhole,
    });
    const rows = await memory.lookUp(observed.observation);
    const { observation } = rows;
    const state = this.#states.get(observation.question)?.state ?? rows.state;
    const compared = compare(state, observation, observed.rule);
    if (observation.isWhole) this.#ended.add(observation.question);
    this.#pending.push({ index: item.index, reading: { ...observed, observation } });
    this.#states.set(observation.question, {
      index: item.index,
      state: stateAfter(state, observation, compared),
    });
    const { isNew, changed, removed, counts } = unseenItemsOf(observation, compared);
    for (const kind of Object.keys(counts) as (keyof SeenCounts)[])
      this.#counts = { ...this.#counts, [kind]: this.#counts[kind] + counts[kind] };
    const isReturned = endpoint.many ? isNew : [changed !== null || isNew.includes(true)];
    return {
      ...keepItems(line, isReturned, endpoint.many),
      changed: endpoint.many || changed === null ? undefined : JSON.stringify(changed),
      removed: removed.length === 0 ? undefined : removed,
    };
  }

  /** Returns the observation of an input that is not remembered yet, for the journal; undefined for none. */
  unremembered(index: number): SeenObservation | undefined {
    return this.#pending.findLast((one) => one.index === index)?.reading;
  }

  async remember(before: number): Promise<void> {
    const end = this.#pending.findIndex(({ index }) => index >= before);
    const safe = end < 0 ? this.#pending : this.#pending.slice(0, end);
    if (safe.length === 0) return;
    await this.#options.memory.remember(safe.map(({ reading }) => reading));
    this.#pending = this.#pending.slice(safe.length);
    for (const { reading } of safe) {
      const { question } = reading.observation;
      if ((this.#states.get(question)?.index ?? before) < before) this.#states.delete(question);
    }
  }

  #observe(params: Params, texts: boolean, answer: ReadItems): SeenObservation {
    const { endpoint, counts, clock } = this.#options;
    const outcome = { ...answer, calls: answer.calls ?? 1, source: answer.source ?? null };
    const observed = seenObservation(endpoint, params, texts, outcome, { counts, now: clock.now() });
    const { observation } = observed;
    // A list that begins in the middle lacks the earlier items.
    const isWhole =
      observation.isWhole && params.cursor === undefined && !this.#ended.has(observation.question);
    return { ...observed, observation: { ...observation, isWhole } };
  }
}
