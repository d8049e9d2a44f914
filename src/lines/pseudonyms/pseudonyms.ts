import { createHmac } from 'node:crypto';
import * as z from 'zod';
import type { Endpoint } from '../../../lib/endpoint.js';
import { itemSource } from '../../../lib/item-source-schema.js';
import { type PersonGroup, person } from '../../../lib/person.js';
import { isRecord } from '../../../lib/read/json.js';
import { NameReplacer, sameName } from './replace-names.js';

/** Replaces values that have no use without the name. */
const withheld = 'withheld';

export interface NamedResult {
  /** The parameters; a string for an invalid input. */
  readonly input?: unknown;
  /** The parameters including those from the command line. */
  readonly params?: unknown;
  readonly own?: unknown;
  /** Items of a list, or the single object. */
  readonly items: readonly unknown[];
  readonly sources?: readonly unknown[] | undefined;
  readonly error?: unknown;
  readonly changed?: unknown;
}

export interface PseudonymOptions {
  readonly key: Uint8Array;
  readonly groups: readonly PersonGroup[];
  /** Names to keep: the user's own subjects. */
  readonly keep: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;
/** Converts a text; the mark says whether its field identifies a person. */
type OnText = (text: string, how: 'name' | 'private' | 'text') => string;

function eachText(value: unknown, onText: (text: string) => string): unknown {
  if (typeof value === 'string') return onText(value);
  if (Array.isArray(value)) return value.map((one) => eachText(one, onText));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, eachText(one, onText)]));
}

/**
 * Replaces each name, handle, ID and address of a person by a keyed hash (HMAC-SHA-256), in the fields marked by their
 * schemas, and wherever a text of the same result repeats it. The same key, platform and name always give the same
 * pseudonym.
 */
export class Pseudonyms {
  readonly #options: PseudonymOptions;
  readonly #namesToKeep: ReadonlySet<string>;

  constructor(options: PseudonymOptions) {
    this.#options = options;
    this.#namesToKeep = new Set(options.keep.map(sameName));
  }

  /** Returns the pseudonym of a name; null for a name to keep. */
  of(platform: string, name: string): string | null {
    const plain = sameName(name);
    if (plain === '' || this.#isPlain(plain)) return null;
    const hash = createHmac('sha256', this.#options.key).update(`${platform}\0${plain}`);
    return `person_${hash.digest('hex').slice(0, 20)}`;
  }

  #isPlain(name: string): boolean {
    if (this.#namesToKeep.size === 0) return false;
    const parts = /^https?:/.test(name) ? name.split(/[/?#@]+/) : [name];
    return parts.some((part) => this.#namesToKeep.has(part));
  }

  /** Identifies the key and the names to keep without revealing them. */
  get mark(): string {
    const { groups, keep, key } = this.#options;
    const hash = createHmac('sha256', key).update(JSON.stringify([groups, [...keep].sort()]));
    return `${groups.join(',')} (${hash.digest('hex').slice(0, 8)})`;
  }

  result<Result extends NamedResult>(endpoint: Endpoint, result: Result): Result {
    const names = new NameReplacer((name) => this.of(endpoint.platform, name));
    const note: OnText = (text, how) => {
      if (how === 'name') names.add(text);
      return text;
    };
    this.#walk(endpoint, result, note);
    return this.#walk(endpoint, result, (text, how) => {
      if (how === 'name') return this.of(endpoint.platform, text) ?? text;
      return how === 'private' ? withheld : names.replace(text);
    });
  }

  #walk<Result extends NamedResult>(endpoint: Endpoint, result: Result, onText: OnText): Result {
    const { returns } = endpoint;
    const anyText = (text: string) => onText(text, 'text');
    const isPerson = this.#markOf(returns) === 'account';
    const { input, params, own, items, sources, error, changed } = result;
    return {
      ...result,
      items: items.map((item) => this.#texts(returns, item, onText)),
      ...(sources === undefined
        ? {}
        : { sources: sources.map((one) => this.#source(one, isPerson, onText)) }),
      ...(input === undefined ? {} : { input: this.#input(endpoint, input, onText) }),
      ...(params === undefined ? {} : { params: this.#input(endpoint, params, onText) }),
      ...(own === undefined ? {} : { own: eachText(own, anyText) }),
      ...(error === undefined ? {} : { error: eachText(error, anyText) }),
      ...(changed === undefined ? {} : { changed: this.#changes(returns, changed, onText) }),
    };
  }

  #input({ params }: Endpoint, input: unknown, onText: OnText): unknown {
    // An invalid input may contain anyone's name.
    if (!isRecord(input)) return eachText(input, (text) => onText(text, 'private'));
    return this.#fields(params, input, onText);
  }

  #source(source: unknown, isPerson: boolean, onText: OnText): unknown {
    const walked = this.#texts(itemSource, source, onText);
    if (!isPerson || !isRecord(source) || !isRecord(walked) || this.#isOwn(source, () => 'name'))
      return walked;
    const renamed = (value: unknown) => (typeof value === 'string' ? onText(value, 'name') : value);
    return { ...walked, id: renamed(source.id), url: renamed(source.url) };
  }

  #changes(schema: z.ZodType, changes: unknown, onText: OnText): unknown {
    if (!isRecord(changes) || !(schema instanceof z.ZodObject))
      return eachText(changes, (text) => onText(text, 'text'));
    const pairs = Object.entries(changes).map(([name, pair]) => {
      const field = schema.shape[name] as z.ZodType | undefined;
      if (field === undefined || !Array.isArray(pair))
        return [name, eachText(pair, (text) => onText(text, 'text'))];
      return [name, pair.map((value) => this.#texts(field, value, onText))];
    });
    return Object.fromEntries(pairs);
  }

  #fields(shape: Readonly<Record<string, z.ZodType>>, value: Fields, onText: OnText): Fields {
    const markOf = (name: string) => shape[name] && this.#markOf(shape[name]);
    // The user's own subject is shown in full, including the name, address and picture next to the handle.
    const isOwn = this.#isOwn(value, markOf);
    const walked = Object.entries(value).map(([name, one]) => {
      const field = shape[name];
      if (isOwn && markOf(name) !== undefined) return [name, one];
      const texts =
        field === undefined ? eachText(one, (text) => onText(text, 'text')) : this.#texts(field, one, onText);
      return [name, texts];
    });
    return Object.fromEntries(walked);
  }

  #isOwn(value: Fields, markOf: (name: string) => string | undefined): boolean {
    if (this.#namesToKeep.size === 0) return false;
    return Object.entries(value).some(
      ([name, one]) => typeof one === 'string' && markOf(name) === 'name' && this.#isPlain(sameName(one)),
    );
  }

  #markOf(schema: z.ZodType) {
    const mark = person.get(schema);
    return mark?.of.some((group) => this.#options.groups.includes(group)) === true ? mark.as : undefined;
  }

  #texts(schema: z.ZodType, value: unknown, onText: OnText): unknown {
    if (value === null || value === undefined) return value;
    const mark = this.#markOf(schema);
    if (typeof value === 'string' && (mark === 'name' || mark === 'private')) return onText(value, mark);
    if (
      schema instanceof z.ZodNullable ||
      schema instanceof z.ZodOptional ||
      schema instanceof z.ZodDefault
    ) {
      return this.#texts(schema.unwrap() as z.ZodType, value, onText);
    }
    if (schema instanceof z.ZodArray && Array.isArray(value)) {
      return value.map((one) => this.#texts(schema.element as z.ZodType, one, onText));
    }
    if (schema instanceof z.ZodObject && isRecord(value)) return this.#fields(schema.shape, value, onText);
    return typeof value === 'string' && schema instanceof z.ZodString ? onText(value, 'text') : value;
  }
}
