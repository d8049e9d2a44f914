import * as z from 'zod';
import type { Endpoint } from '../../../lib/endpoint.js';

type Item = Readonly<Record<string, unknown>>;
type Says = (value: unknown) => boolean;

/** A part of answers that is watched for falls. */
export interface WatchedField {
  /** A field of the items, or a path (`location.lat`). `like_count>0` means a count above zero. */
  readonly name: string;
  /** How much of an item has it: 0, 1, or the share of a list's elements. */
  share(item: Item): number;
}

const fieldsOf = new WeakMap<Endpoint, readonly WatchedField[]>();

/** True for a value with content. An empty list has none. */
export function isFilled(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}

const isAboveZero = (value: unknown) => typeof value === 'number' && value > 0;
const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null;
const itemsOf = (value: unknown) => (Array.isArray(value) ? value : [value]).filter(isItem);

/** True if `name` is `other` or lies within it, so that a fall of `other` implies one of `name`. */
export function isPartOf(name: string, other: string): boolean {
  if (!name.startsWith(other)) return false;
  return name.length === other.length || (other !== '' && /[.>]/.test(name.charAt(other.length)));
}

/** Describes a fallen field as part of a sentence. */
export function fieldText(name: string): string {
  return name.endsWith('>0') ? `${name.slice(0, -2)} was above 0` : `${name} was filled`;
}

const bare = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodNullable ? bare(schema.unwrap()) : schema;
const takes = (schema: z.core.$ZodType, value: unknown) => z.safeParse(schema, value).success;
const mayLack = (schema: z.core.$ZodType) => schema instanceof z.ZodArray || takes(schema, null);
const isCount = (schema: z.core.$ZodType) =>
  takes(schema, 0) && !takes(schema, -1) && !takes(schema, 0.5) && !takes(schema, '');

/** Returns the fields of an object's schema, or of a list's items. */
function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  const inner = bare(schema);
  const object = inner instanceof z.ZodArray ? bare(inner.element) : inner;
  return object instanceof z.ZodObject ? object.shape : {};
}

/** Returns the checks of a field: that it is present, if it may be missing, and that a count is above zero. */
function watchesOf(
  name: string,
  schema: z.core.$ZodType,
  shareOf: (item: Item, says: Says) => number,
): WatchedField[] {
  return [
    ...(mayLack(schema) ? [{ name, share: (item: Item) => shareOf(item, isFilled) }] : []),
    ...(isCount(schema) ? [{ name: `${name}>0`, share: (item: Item) => shareOf(item, isAboveZero) }] : []),
  ];
}

/** Returns the share of objects in a field whose `key` passes `says`; 0 without objects. */
function shareWithin(value: unknown, key: string, says: Says): number {
  const items = itemsOf(value);
  return items.length === 0 ? 0 : items.filter((item) => says(item[key])).length / items.length;
}

/** Returns what to watch in an endpoint's answers. A field precedes the fields within it. */
export function watchedFields(endpoint: Endpoint): readonly WatchedField[] {
  const cached = fieldsOf.get(endpoint);
  if (cached !== undefined) return cached;
  const fields = Object.entries(shapeOf(endpoint.returns)).flatMap(([name, schema]) => [
    ...watchesOf(name, schema, (item, says) => (says(item[name]) ? 1 : 0)),
    ...Object.entries(shapeOf(schema)).flatMap(([key, inner]) =>
      watchesOf(`${name}.${key}`, inner, (item, says) => shareWithin(item[name], key, says)),
    ),
  ]);
  fieldsOf.set(endpoint, fields);
  return fields;
}

/**
 * Returns how many of an answer's items have each field, as shares in order. Null for an empty list, which says
 * nothing.
 */
export function filledShares(fields: readonly WatchedField[], data: unknown): readonly number[] | null {
  const items = itemsOf(data);
  if (items.length === 0) return null;
  return fields.map(({ share }) => items.reduce((sum, item) => sum + share(item), 0) / items.length);
}
