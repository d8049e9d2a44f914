import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { CachedAnswer } from '../cache/cache.js';
import { type CallRequest, parseCallRequest } from '../call/call-request.js';
import type { Endpoint } from '../endpoint.js';
import { ExtractError } from '../errors/extract-error.js';
import { person } from '../person.js';
import type { Platform } from '../platforms.js';
import type { PageItemSource } from '../read/item-source.js';
import type { Json } from '../read/json.js';
import { handleKey, nameKey } from '../subject-reader.js';
import { type Subject, subjectKeys, subjectReader } from './subject.js';
import { Traces } from './traces.js';

type Fields = Readonly<Record<string, unknown>>;

const textAt = (fields: Fields, name: string) => {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

function namingFields({ returns }: Endpoint): readonly string[] {
  if (!(returns instanceof z.ZodObject)) return [];
  return Object.entries(returns.shape as Readonly<Record<string, z.ZodType>>).flatMap(([name, field]) => {
    const inner = field instanceof z.ZodNullable ? (field.unwrap() as z.ZodType) : field;
    return (person.get(field) ?? person.get(inner))?.as === 'name' ? [name] : [];
  });
}

/** Returns an item's source as far as its own fields show it, for answers without sources. */
function sourceFromFields(item: Fields): PageItemSource {
  const first = (...names: readonly string[]) =>
    names.reduce<string | null>((text, name) => text ?? textAt(item, name), null);
  const author = item.author as Fields | null | undefined;
  return {
    id: first('place_id', 'shortcode', 'id'),
    url: first('url', 'permalink', 'profile_url'),
    author:
      typeof author === 'object' && author !== null
        ? { id: null, handle: null, name: textAt(author, 'name'), url: textAt(author, 'profile_url') }
        : null,
  };
}

export function itemKeys(
  endpoint: Endpoint,
  item: unknown,
  source: PageItemSource | undefined,
): readonly string[] {
  const { ofAddress, ofWord } = bound(endpoint);
  const keys: string[] = [];
  const fields = item as Fields;
  const { id, url, author } = source ?? sourceFromFields(fields ?? {});
  if (id !== null) keys.push(id, ...(endpoint.platform === 'maps' ? ofWord(id) : []));
  if (url !== null) keys.push(...ofAddress(url));
  if (author?.id != null) keys.push(author.id);
  if (author?.url != null) keys.push(...ofAddress(author.url));
  if (author?.name != null) keys.push(nameKey(author.name));
  for (const name of namingFields(endpoint)) {
    const text = textAt(fields, name);
    if (text === null) continue;
    if (/^https?:/i.test(text)) keys.push(...ofAddress(text));
    else keys.push(nameKey(text), ...(name === 'username' ? [handleKey(text)] : []));
  }
  return keys;
}

function bound({ platform }: Endpoint) {
  const reader = subjectReader(platform);
  return {
    ofAddress: (address: string) => reader.ofAddress(address),
    ofWord: (word: string) => reader.ofWord(word),
  };
}

/**
 * Returns the keys of the requested subject, and of the account that its address names. `fields` are the parameters as
 * received.
 */
export function requestKeys(
  endpoint: Endpoint,
  identity: Readonly<Record<string, Json>>,
  fields: Fields,
): readonly string[] {
  const { exactlyOne } = endpoint;
  if (exactlyOne === null) return [];
  const { ofAddress, ofWord } = bound(endpoint);
  const text = (name: string) => textAt(identity, name);
  const keys: string[] = [];
  const [username, vanity, shortcode, id] = ['username', 'vanity', 'shortcode', 'id'].map(text);
  if (username != null) keys.push(handleKey(username));
  // A company may be requested by its display name, which has spaces.
  if (vanity != null) keys.push(vanity.includes(' ') ? nameKey(vanity) : `${text('kind') ?? 'in'}/${vanity}`);
  if (shortcode != null) keys.push(...ofWord(`p/${shortcode}`));
  if (id != null) keys.push(id);
  const place = identity.place as Fields | undefined;
  const placeId = place && textAt(place, 'id');
  const cid = place && textAt(place, 'cid');
  if (placeId != null) keys.push(...ofWord(placeId));
  if (cid != null) keys.push(`cid/${cid}`);
  for (const name of exactlyOne) {
    const address = name.endsWith('url') ? textAt(fields, name) : null;
    if (address !== null) keys.push(...ofAddress(address));
  }
  return keys;
}

export class SuppressedSubjects {
  readonly #keys = new Map<Platform, Set<string>>();
  /** Filtered answers. The memory tier of the cache returns the same objects repeatedly. */
  readonly #known = new WeakMap<CachedAnswer, CachedAnswer>();

  constructor(subjects: readonly Subject[]) {
    for (const subject of subjects) {
      const keys = this.#keys.get(subject.platform) ?? new Set();
      this.#keys.set(subject.platform, keys);
      for (const key of subjectKeys(subject)) keys.add(key);
    }
  }

  /** Throws `subject_suppressed` if the call requests one of them. */
  refuse({ endpoint, identity, params }: CallRequest): void {
    if (this.isRequested(endpoint, identity, params)) throw new ExtractError('subject_suppressed');
  }

  /** Returns true if one of them is requested. `params` are the parameters as received. */
  isRequested(
    endpoint: Endpoint,
    identity: CallRequest['identity'],
    params: Readonly<Record<string, unknown>>,
  ): boolean {
    return this.#has(endpoint, () => requestKeys(endpoint, identity, params));
  }

  /** The same for the parameters of a stored input. Unreadable parameters request no subject. */
  isSubjectOf(endpoint: Endpoint, params: Readonly<Record<string, unknown>>): boolean {
    try {
      const { identity, params: checked } = parseCallRequest(endpoint, params, true);
      return this.isRequested(endpoint, identity, checked);
    } catch (error) {
      if (error instanceof ExtractError) return false;
      throw error;
    }
  }

  /** Returns a text that changes with a platform's suppressed subjects; empty for none. */
  edition({ platform }: Endpoint): string {
    const keys = [...(this.#keys.get(platform) ?? [])].sort();
    if (keys.length === 0) return '';
    return createHash('sha256').update(JSON.stringify(keys)).digest('hex').slice(0, 16);
  }

  /** Returns a matcher for texts that name suppressed subjects of a platform. */
  tracesOn({ platform }: Endpoint): Traces {
    return new Traces([...(this.#keys.get(platform) ?? [])].map((key) => ({ platform, key })));
  }

  /** Returns true if the item is one of them, or was published by one of them. */
  names(endpoint: Endpoint, item: unknown, source: PageItemSource | undefined): boolean {
    return this.#has(endpoint, () => itemKeys(endpoint, item, source));
  }

  /** Returns the answer without their items. Throws `subject_suppressed` if the answer itself is one of them. */
  leaveOut(endpoint: Endpoint, answer: CachedAnswer): CachedAnswer {
    if (!this.#keys.has(endpoint.platform)) return answer;
    const keys = this.#known.get(answer);
    if (keys !== undefined) return keys;
    const rest = this.#without(endpoint, answer);
    this.#known.set(answer, rest);
    return rest;
  }

  #has({ platform }: Endpoint, keysOf: () => readonly string[]): boolean {
    const keys = this.#keys.get(platform);
    return keys !== undefined && keysOf().some((key) => keys.has(key));
  }

  #without(endpoint: Endpoint, answer: CachedAnswer): CachedAnswer {
    const data = JSON.parse(answer.data) as unknown;
    const items = endpoint.many ? (data as readonly unknown[]) : [data];
    const sources = JSON.parse(answer.sources ?? '[]') as readonly PageItemSource[];
    const remaining = items.flatMap((item, index) =>
      this.names(endpoint, item, sources[index]) ? [] : [index],
    );
    if (remaining.length === items.length) return answer;
    if (!endpoint.many) throw new ExtractError('subject_suppressed');
    return {
      ...answer,
      data: JSON.stringify(remaining.map((index) => items[index])),
      sources: JSON.stringify(remaining.map((index) => sources[index])),
      places: remaining.map((index) => answer.places?.[index] ?? index),
    };
  }
}
