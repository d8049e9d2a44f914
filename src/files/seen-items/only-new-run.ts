import type { ReadsOn } from '../../../lib/batch/run-input.js';
import { parseCallRequest } from '../../../lib/call/call-request.js';
import { bindingOf } from '../../../lib/call/cursor.js';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { ItemSource } from '../../../lib/read/item-source.js';
import { changesOf } from './changes.js';
import { itemKeys } from './item-keys.js';
import { isRemovedAfter } from './missing-items.js';
import { readsOn } from './read-on.js';
import type { Given, GivenList, SeenItemsStore, Subject } from './seen-items-store.js';

type Params = Readonly<Record<string, unknown>>;

export interface OnlyNewRunOptions {
  readonly endpoint: Endpoint;
  readonly name: string;
  readonly store: SeenItemsStore;
  /** Read whole lists at the first time, and later to the first page without news. */
  readonly all: boolean;
  /** Changes of counts alone are news, too. */
  readonly counts: boolean;
}

/** An answer as far as it is news. */
export interface UnseenItems {
  /** `data` as JSON text: the object, or the new items of the list. */
  readonly json: string;
  /** `sources` of those items as JSON text, where they were asked for. */
  readonly sources?: string | undefined;
  /** The changes of an object that was given before, as JSON text. */
  readonly changed?: string | undefined;
  /** The IDs of items that are no longer in the list, where it was read to its end. */
  readonly removed?: readonly string[] | undefined;
}

/** An answer, and how far it was read. */
export interface ReadItems extends Pick<Answer, 'json' | 'prints' | 'sources'> {
  /** True for the end that the platform itself gives the list. */
  readonly isWhole?: boolean | undefined;
  /** Pages up to here. */
  readonly calls?: number;
  readonly source?: Answer['source'] | null;
}

/** The platform's own IDs of the items of an answer, in order; null for one without. */
const idsOf = (sources: string | undefined): readonly (string | null)[] =>
  sources === undefined ? [] : (JSON.parse(sources) as readonly ItemSource[]).map(({ id }) => id);

/** The question of a call, whatever its page, its limit and how it runs. Throws the `invalid_request` errors. */
export function subjectOf(endpoint: Endpoint, params: Params, texts: boolean): Subject {
  const request = parseCallRequest(endpoint, params, texts);
  return { endpoint: endpoint.path, question: bindingOf({ request }) };
}

interface Pending {
  readonly index: number;
  readonly given: Given;
}

/** The items of one subject that inputs of this run gave, and the last input. */
interface OwnGiven {
  index: number;
  readonly items: Set<string>;
  object: string | null;
}

/**
 * One run that gives only what no earlier run under its name gave. Its items are remembered when the caller says that
 * they are safe. A run that ends before that gives again, and loses nothing.
 */
export class OnlyNewRun {
  readonly #options: OnlyNewRunOptions;
  /** Items that were read of each listing under way, by the parameters of its input. */
  readonly #read = new WeakMap<Params, number>();
  /** In the order of the inputs. */
  #pending: Pending[] = [];
  /** By question: what is pending is not in the store yet. */
  readonly #own = new Map<string, OwnGiven>();
  /** Questions whose lists were read to their end: one reading is one witness, however many inputs ask. */
  readonly #ended = new Set<string>();
  #removed = 0;

  constructor(options: OnlyNewRunOptions) {
    this.#options = options;
  }

  /** Items that are no longer in their lists. */
  get removed(): number {
    return this.#removed;
  }

  /** Decides after each page of a list whether the next one is read. */
  readonly readsOn: ReadsOn = async ({ params, texts }, answer) => {
    const { endpoint, name, store, all } = this.#options;
    if (!endpoint.many) return false;
    const keys = itemKeys(answer, JSON.parse(answer.json) as unknown[]);
    const { isKnown, items } = await store.findItems(name, subjectOf(endpoint, params, texts), keys);
    const before = this.#read.get(params) ?? 0;
    this.#read.set(params, before + keys.length);
    return readsOn({ before, isNew: keys.map((key) => !items.has(key)) }, { all, isKnown });
  };

  /** The part of an answer that no earlier run gave, nor an earlier input of this one; null when nothing is left. */
  async unseenItems(
    index: number,
    params: Params,
    texts: boolean,
    answer: ReadItems,
  ): Promise<UnseenItems | null> {
    const { endpoint } = this.#options;
    const subject = subjectOf(endpoint, params, texts);
    if (!endpoint.many) return this.#change(index, subject, answer);
    // A list that begins in the middle lacks the items before.
    const isWhole = answer.isWhole === true && params.cursor === undefined;
    return this.#newItems(index, subject, { ...answer, isWhole });
  }

  /** Remembers what the inputs before this index gave. */
  async remember(before: number): Promise<void> {
    const { store, name } = this.#options;
    const end = this.#pending.findIndex(({ index }) => index >= before);
    const safe = end < 0 ? this.#pending : this.#pending.slice(0, end);
    if (safe.length === 0) return;
    await store.remember(
      name,
      safe.map(({ given }) => given),
    );
    this.#pending = this.#pending.slice(safe.length);
    for (const { given } of safe) {
      const { question } = given.subject;
      if ((this.#own.get(question)?.index ?? before) < before) this.#own.delete(question);
    }
  }

  async #newItems(index: number, subject: Subject, answer: ReadItems): Promise<UnseenItems | null> {
    const { json, prints, sources } = answer;
    const items = JSON.parse(json) as unknown[];
    const keys = itemKeys({ prints, sources }, items);
    const known = await this.#given(subject, keys);
    const isNew = keys.map((key) => {
      const isUnseen = !known.has(key);
      known.add(key);
      return isUnseen;
    });
    const given = { subject, items: keys, ids: idsOf(sources) };
    const { absent, removed } = await this.#absent(given, answer);
    this.#hold(index, { ...given, ...absent });
    if (!isNew.includes(true) && removed === undefined) return null;
    const newOf = (text: string) =>
      JSON.stringify((JSON.parse(text) as unknown[]).filter((_, place) => isNew[place]));
    return { json: newOf(json), sources: sources === undefined ? undefined : newOf(sources), removed };
  }

  /** The items that a reading to the end of a list lacks, and the IDs of those that are not in it any more. */
  async #absent(
    { subject, items }: GivenList,
    { isWhole, calls = 1, source }: ReadItems,
  ): Promise<{
    readonly absent?: Pick<GivenList, 'missing' | 'removed'>;
    readonly removed?: readonly string[] | undefined;
  }> {
    // An answer of the cache may be older than what an earlier run read.
    if (isWhole !== true || source === 'cache' || this.#ended.has(subject.question)) return {};
    this.#ended.add(subject.question);
    const { store, name } = this.#options;
    const present = [...items, ...(this.#own.get(subject.question)?.items ?? [])];
    const absent = await store.listAbsent(name, subject, present);
    const gone = absent.filter(({ missing }) => isRemovedAfter(missing + 1, calls));
    this.#removed += gone.length;
    return {
      absent: {
        missing: absent.filter((one) => !gone.includes(one)).map(({ item }) => item),
        removed: gone.map(({ item }) => item),
      },
      removed: gone.length === 0 ? undefined : gone.map(({ id }) => id),
    };
  }

  async #change(
    index: number,
    subject: Subject,
    { json, sources }: Pick<Answer, 'json' | 'sources'>,
  ): Promise<UnseenItems | null> {
    const { store, name, counts } = this.#options;
    const before = this.#own.get(subject.question)?.object ?? (await store.findObject(name, subject));
    const changes =
      before === null ? null : changesOf(JSON.parse(before) as Params, JSON.parse(json) as Params, counts);
    const isNews = before === null || changes !== null;
    this.#hold(index, { subject, object: isNews ? json : before });
    if (!isNews) return null;
    return { json, sources, changed: changes === null ? undefined : JSON.stringify(changes) };
  }

  /** Resolves with the items that earlier runs, or earlier inputs of this one, gave. */
  async #given(subject: Subject, keys: readonly string[]): Promise<Set<string>> {
    const { items } = await this.#options.store.findItems(this.#options.name, subject, keys);
    return new Set([...items, ...(this.#own.get(subject.question)?.items ?? [])]);
  }

  #hold(index: number, given: Given): void {
    this.#pending.push({ index, given });
    const { question } = given.subject;
    const own = this.#own.get(question) ?? { index, items: new Set<string>(), object: null };
    this.#own.set(question, own);
    own.index = index;
    if ('object' in given) own.object = given.object;
    else for (const item of given.items) own.items.add(item);
  }
}
