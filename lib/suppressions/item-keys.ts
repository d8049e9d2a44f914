import * as z from 'zod';
import type { Endpoint } from '../endpoint.js';
import { person } from '../person.js';
import type { PageItemSource } from '../read/item-source.js';
import type { Json } from '../read/json.js';
import { handleKey, nameKey } from '../subject-reader.js';
import { subjectReader } from './subject.js';

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
