import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../read/json.js';
import type { ObjectReading, Route } from './route.js';

/** Reasons to prefer another route's value. */
const weaknesses = ['rounded', 'smaller', 'partial'] as const;

type Weakness = Readonly<Record<(typeof weaknesses)[number], ReadonlySet<string>>>;

/** An object assembled from routes, with the fields that are rounded, smaller, or cut off. */
export interface MergedObject<Data> extends Weakness {
  readonly data: Data;
}

/** Wraps a route's reading of a subject. What the page says about its fields overrides the route's `fills`. */
export function readBy<Data extends object>(
  data: Data,
  { fills = {} }: Pick<Route<never, unknown>, 'fills'>,
  page: Pick<ObjectReading<unknown>, 'rounded' | 'partial'> = {},
): MergedObject<Data> {
  const values = data as Readonly<Record<string, unknown>>;
  const fieldsWith = (fill: string) => Object.keys(fills).filter((field) => fills[field] === fill);
  const there = (fields: readonly string[]) =>
    new Set(fields.filter((field) => (values[field] ?? null) !== null));
  return {
    data,
    rounded: there(page.rounded ?? fieldsWith('rounded')),
    smaller: there(fieldsWith('smaller')),
    partial: there(page.partial ?? []),
  };
}

/**
 * Fills the nulls of an inner object from another that agrees with it in everything both have; otherwise returns it
 * unchanged.
 */
function filledInner(inner: unknown, other: unknown): unknown {
  if (!isRecord(inner) || !isRecord(other)) return inner;
  const agrees = Object.entries(inner).every(
    ([key, value]) => value === null || other[key] === null || isDeepStrictEqual(value, other[key]),
  );
  if (!agrees) return inner;
  return Object.fromEntries(Object.entries(inner).map(([key, value]) => [key, value ?? other[key] ?? null]));
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Fills nulls, and replaces what is rounded, smaller or cut off. Both must describe the same subject. */
export function merge<Data extends object>(
  base: MergedObject<Data>,
  other: MergedObject<Partial<Data>>,
): MergedObject<Data> {
  const data: Record<string, unknown> = { ...base.data } as Record<string, unknown>;
  const weak = weaknesses.map((kind) => ({ own: new Set(base[kind]), others: other[kind] }));
  for (const [field, value] of Object.entries(other.data)) {
    if (value === null || value === undefined || (isEmptyList(value) && data[field] !== null)) continue;
    const isBetter =
      data[field] === null || weak.some(({ own, others }) => own.has(field) && !others.has(field));
    data[field] = isBetter ? value : filledInner(data[field], value);
    if (!isBetter) continue;
    for (const { own, others } of weak) {
      if (others.has(field)) own.add(field);
      else own.delete(field);
    }
  }
  const [rounded, smaller, partial] = weak.map(({ own }) => own) as [Set<string>, Set<string>, Set<string>];
  return { data: data as Data, rounded, smaller, partial };
}
