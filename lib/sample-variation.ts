import { hash } from 'node:crypto';
import type { CachedAnswer } from './cache/cache.js';
import { digest, fingerprint } from './call/cursor.js';
import type { Endpoint } from './endpoint.js';
import type { PageItemSource } from './read/item-source.js';
import type { Json } from './read/json.js';
import { sampleMark } from './read/sample-mark.js';

type Identity = Readonly<Record<string, Json>>;

/** Turns a sample's answer into one about another subject. `isFirst`: the page is the first of its list. */
export type Variation = (answer: CachedAnswer, now: number, isFirst: boolean) => CachedAnswer;

/** Keys of an identity that name its subject. The others, such as language and sort, do not. */
const subjects = new Set(['username', 'tag', 'shortcode', 'id', 'vanity', 'query']);

/** Returns pairs of names that differ: the sample's and the requested one. */
function subjectWords(sample: Json, requested: Json | undefined): (readonly [string, string])[] {
  if (sample === null || typeof sample !== 'object') return [];
  return Object.entries(sample).flatMap(([key, value]) => {
    const other = (requested as Record<string, Json> | null | undefined)?.[key];
    if (typeof value !== 'string') return subjectWords(value, other);
    return subjects.has(key) && typeof other === 'string' && other !== value ? [[value, other] as const] : [];
  });
}

const capital = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

/** “fern.atlas” → “Fern Atlas” */
const titled = (name: string) =>
  name
    .split(/[._\s-]+/)
    .filter((word) => word !== '')
    .map(capital)
    .join(' ');

/**
 * Matches the characters of an ID to replace: in long numbers, all but the first digits, which encode the time;
 * otherwise all after the first three.
 */
const exchanged = (id: string) => (/\d{6}/.test(id) ? /(?<=\d{3})\d/g : /(?<!^.{0,3})[A-Za-z0-9]/g);

function otherId(id: string, seed: string): string {
  const bytes = hash('sha256', `${seed}\n${id}`, 'buffer');
  let at = 0;
  return id.replace(exchanged(id), (sign) => {
    const value = bytes[at % bytes.length] ?? 0;
    at += 1;
    const [first, count] = /\d/.test(sign) ? [48, 10] : /[a-z]/.test(sign) ? [97, 26] : [65, 26];
    return String.fromCharCode(first + (value % count));
  });
}

/** Returns a share between 1/3 and 1, determined by the seed. */
const shareOf = (seed: string) => 1 / 3 + (hash('sha256', seed, 'buffer').readUInt16BE() / 65_536) * (2 / 3);

/** Scales all counts of an object by one share, to keep their proportions. */
function withOtherCounts(value: unknown, share: number): unknown {
  if (Array.isArray(value)) return value.map((one) => withOtherCounts(one, share));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      const isCount = typeof part === 'number' && /(?:_count|s_total)$/.test(key) && Number.isInteger(part);
      if (!isCount) return [key, withOtherCounts(part, share)];
      return [key, Math.floor(part * share)];
    }),
  );
}

/** Fields with the time of publication. */
const times = ['timestamp', 'create_time', 'publish_time', 'published_at', 'listed_at'];

/** Dates the first item of a list today, as a new item at each reading, so that a watched list has news. */
function asNew(item: Readonly<Record<string, unknown>>, now: number): Readonly<Record<string, unknown>> {
  const key = times.find((name) => typeof item[name] === 'string');
  const today = new Date(now - (now % 86_400_000)).toISOString();
  return key === undefined ? item : { ...item, [key]: today };
}

/** Renames the answer's object to the requested name, with a mark. */
function renamedObject(
  item: Readonly<Record<string, unknown>>,
  words: readonly (readonly [string, string])[],
  seed: string,
  mark: string,
) {
  const key = ['display_name', 'full_name', 'name'].find((one) => typeof item[one] === 'string');
  if (key === undefined) return item;
  const [old] = words[0] ?? [];
  const isPlace = 'place_id' in item;
  const number = hash('sha256', seed, 'buffer').readUInt16BE(2);
  // `renamed` replaces the sample's name with the requested one.
  const name = old === undefined || isPlace ? `${item[key]} ${number}` : titled(old);
  return { ...item, [key]: `${name} ${mark}` };
}

/** Moves a place some hundred metres. */
function movedPlace(item: Readonly<Record<string, unknown>>, seed: string) {
  const { location } = item;
  if (location === null || typeof location !== 'object' || !('lat' in location) || !('lng' in location))
    return item;
  const by = (axis: string) => (shareOf(`${seed} ${axis}`) - 2 / 3) / 20;
  const round = (value: number) => Math.round(value * 1e7) / 1e7;
  return {
    ...item,
    location: { lat: round(Number(location.lat) + by('lat')), lng: round(Number(location.lng) + by('lng')) },
  };
}

function inPlace(item: Readonly<Record<string, unknown>>, { location }: Identity) {
  return typeof location === 'string' && typeof item.location === 'string' ? { ...item, location } : item;
}

const textIn = (value: string) => JSON.stringify(value).slice(1, -1);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const inUrl = (name: string) =>
  name
    .split(/[^\p{L}\p{N}._-]+/u)
    .filter((part) => part !== '')
    .join('-');

/** A hashtag is one word. */
const asTag = (name: string) => name.replace(/[^\p{L}\p{N}._-]/gu, '');

/**
 * Replaces a name in a JSON text in all its spellings, in one pass, because the new name may contain the old one. URLs
 * stay URLs and hashtags stay one word, whatever the new name contains.
 */
function renamed(json: string, old: string, other: string): string {
  const spellings = new Map(
    [capital, titled, (name: string) => name].map((spell) => [textIn(spell(old)), spell(other)] as const),
  );
  const name = [...spellings.keys()].map(escaped).join('|');
  const swap = (text: string, write: (name: string) => string) =>
    text.replace(new RegExp(name, 'gu'), (match) => textIn(write(spellings.get(match) ?? match)));
  const parts = new RegExp(
    `https?://[^"\\\\\\s]*|"hashtag(?:s|_names)":\\[[^[\\]]*\\]|#(?:${name})|${name}`,
    'gu',
  );
  return json.replace(parts, (part) => {
    if (part.startsWith('http')) return swap(part, inUrl);
    return part.startsWith('#') || part.startsWith('"hashtag') ? swap(part, asTag) : swap(part, String);
  });
}

/** The name of a place's photo, in its address. */
const photoName = /(?<=googleusercontent\.com\/[\w-]+\/)[\w-]{20,}/g;

function replaced(
  json: string,
  words: readonly (readonly [string, string])[],
  ids: ReadonlyMap<string, string>,
  seed: string,
) {
  let text = json;
  for (const [old, other] of words) text = renamed(text, old, other);
  for (const [old, other] of ids) text = text.replaceAll(textIn(old), textIn(other));
  return text.replace(photoName, (name) => otherId(name, seed));
}

/**
 * Returns how a sample's answer becomes one about the requested subject. Names are the requested ones; IDs and counts
 * are invented, but the same at each reading, so that two subjects are two rows of a table.
 */
export function variationOf(endpoint: Endpoint, sample: Identity, requested: Identity): Variation {
  const seed = digest([endpoint.path, requested]);
  const words = subjectWords(sample, requested);
  const subjectNames = new Set(words.flat());
  const mark = sampleMark(sample.language, requested.language);
  return (answer, now, isFirst) => {
    const data: unknown = JSON.parse(answer.data);
    const sources = JSON.parse(answer.sources ?? '[]') as PageItemSource[];
    const items = (Array.isArray(data) ? data : [data]) as Readonly<Record<string, unknown>>[];
    const isNew = (at: number) => endpoint.many && isFirst && at === 0;
    const seedOf = (at: number) => (isNew(at) ? `${seed} ${now}` : seed);
    const varied = items.map((item, at) => {
      const variant = withOtherCounts(inPlace(item, requested), shareOf(`${seed} ${at}`)) as Record<
        string,
        unknown
      >;
      if (isNew(at)) return asNew(variant, now);
      return endpoint.many ? variant : movedPlace(renamedObject(variant, words, seed, mark), seed);
    });
    const ids = new Map<string, string>();
    for (const [at, { id, author }] of sources.entries()) {
      if (id !== null && !subjectNames.has(id)) ids.set(id, otherId(id, seedOf(at)));
      const isSubject = author?.handle != null && subjectNames.has(author.handle);
      if (isSubject && author.id !== null) ids.set(author.id, otherId(author.id, seed));
    }
    const { coverage } = answer;
    const ignored = endpoint.ignoredBySample?.(varied, requested, answer.fetchedAt);
    return {
      ...answer,
      ...(coverage !== undefined && ignored !== undefined ? { coverage: { ...coverage, ignored } } : {}),
      data: replaced(JSON.stringify(endpoint.many ? varied : varied[0]), words, ids, seed),
      sources: replaced(JSON.stringify(sources), words, ids, seed),
      prints: answer.prints.map((print, at) => fingerprint(`${seedOf(at)} ${print}`)),
    };
  };
}
