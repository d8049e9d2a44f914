import { createHash } from 'node:crypto';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { Caption, ItemCaptions } from '../../../lib/read/item-source.js';
import { itemKey } from '../result-files/item-key.js';

export interface MediaRef {
  /** The name of its files. */
  readonly item: string;
  /** From 1, in the order of the item's fields. */
  readonly number: number;
  readonly address: string;
  /** Only for captions. */
  readonly captions?: Pick<Caption, 'language' | 'kind'>;
}

/** Returns a file name without extension: `ID-1`, or `ID.eng-US.translated` for captions. */
export function mediaName({ item, number, captions }: Omit<MediaRef, 'address'>): string {
  if (captions === undefined) return `${item}-${number}`;
  const marks = [captions.language ?? 'unknown', captions.kind ?? `captions-${number}`];
  return [item, ...marks.map(safeName)].join('.');
}

const maxNameLength = 80;

/** Returns the fields of an endpoint's objects that refer to pictures and videos. */
export function mediaFields({ site, returns }: Pick<Endpoint, 'site' | 'returns'>): readonly string[] {
  return site.media?.fields[returns.meta()?.id ?? ''] ?? [];
}

/** True if an endpoint's pages have captions. */
export const hasCaptions = ({ site, returns }: Pick<Endpoint, 'site' | 'returns'>): boolean =>
  site.media?.captions !== undefined && site.media.captions === returns.meta()?.id;

/** Returns the strings at a path of an item, including those in lists. */
function textsAt(value: unknown, path: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => textsAt(one, path));
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === 'string' ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  return textsAt((value as Readonly<Record<string, unknown>>)[name], rest);
}

/** Makes a text safe for a file name, adding a hash of the original if it changed. */
function safeName(text: string): string {
  const name = text.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, maxNameLength);
  return name === text ? name : `${name}-${hash(text)}`;
}

/** Systems whose file systems are usually case-insensitive. */
const caselessSystems: ReadonlySet<NodeJS.Platform> = new Set(['darwin', 'win32']);

/** Returns the name of an item's files. IDs may differ only in case, so case-insensitive systems get a hash. */
export function itemFileName(id: string, system: NodeJS.Platform = process.platform): string {
  const name = safeName(id);
  return name === id && caselessSystems.has(system) && /[A-Z]/.test(id) ? `${id}-${hash(id)}` : name;
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** Removes the signature, which changes each time. */
const unsigned = (address: string) => address.replace(/[?#].*$/s, '');

/** Returns the name of an item: its ID, or else the address of its first picture. Both are stable. */
function nameOf(item: unknown, key: string | null, addresses: readonly string[]): string {
  const id = key === null ? undefined : (item as Readonly<Record<string, unknown>>)[key];
  const first = unsigned(addresses[0] ?? '');
  if (typeof id !== 'string' || id === '' || /^https?:/.test(id))
    return `media-${hash(first)}${hash(`${first}#`)}`;
  return itemFileName(id);
}

/** Returns the pictures and videos of an answer's items, each address once per item. */
export function mediaOf(endpoint: Endpoint, items: readonly unknown[]): MediaRef[] {
  const fields = mediaFields(endpoint).map((field) => field.split('.'));
  const key = itemKey(endpoint);
  return items.flatMap((item) => {
    const addresses = [...new Set(fields.flatMap((path) => textsAt(item, path)))];
    if (addresses.length === 0) return [];
    const name = nameOf(item, key, addresses);
    return addresses.map((address, at) => ({ item: name, number: at + 1, address }));
  });
}

/** Returns the captions of the items, from the answer's pages (`ItemCaptions` as JSON text). */
export function captionsIn(
  endpoint: Endpoint,
  items: readonly unknown[],
  keyField: string | undefined,
): MediaRef[] {
  const key = itemKey(endpoint);
  if (keyField === undefined || key === null) return [];
  const keys = new Set(items.map((item) => (item as Readonly<Record<string, unknown>>)[key]));
  return (JSON.parse(keyField) as ItemCaptions[])
    .filter(({ id }) => keys.has(id))
    .flatMap(({ id, captions }) =>
      captions.map(({ url, language, kind }, at) => ({
        ...{ item: itemFileName(id), number: at + 1, address: url },
        captions: { language, kind },
      })),
    );
}
