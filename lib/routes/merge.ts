import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../read/json.js';
import type { Found, Route } from './route.js';

type Fills = Pick<Route<never, unknown>, 'fills'>;

/** An object as some routes read it. */
export interface Merged<Data> {
  readonly data: Data;
  /** Fields whose numbers are rounded. */
  readonly rounded: ReadonlySet<string>;
  /** Fields that are there in part. */
  readonly partial: ReadonlySet<string>;
}

/** What a page shows in short or in part. */
type Shown = Pick<Found<unknown>, 'rounded' | 'partial'>;

/** What one route read of a subject; `rounded` as its page shows, if that says more than the route's `fills`. */
export function readBy<Data extends object>(
  data: Data,
  { fills }: Fills,
  { rounded = Object.keys(fills).filter((field) => fills[field] === 'rounded'), partial = [] }: Shown = {},
): Merged<Data> {
  const values = data as Readonly<Record<string, unknown>>;
  const isThere = (field: string) => (values[field] ?? null) !== null;
  return { data, rounded: new Set(rounded.filter(isThere)), partial: new Set(partial) };
}

/** An inner object with its nulls filled from one that agrees with it in all that both hold; else as it is. */
function filled(inner: unknown, other: unknown): unknown {
  if (!isRecord(inner) || !isRecord(other)) return inner;
  const agrees = Object.entries(inner).every(
    ([key, value]) => value === null || other[key] === null || isDeepStrictEqual(value, other[key]),
  );
  if (!agrees) return inner;
  return Object.fromEntries(Object.entries(inner).map(([key, value]) => [key, value ?? other[key] ?? null]));
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Fills what is null, and replaces what is rounded or there in part. Both must be of the same subject. */
export function merge<Data extends object>(base: Merged<Data>, other: Merged<Data>): Merged<Data> {
  const data: Record<string, unknown> = { ...base.data } as Record<string, unknown>;
  const weak = (['rounded', 'partial'] as const).map((kind) => ({
    own: new Set(base[kind]),
    others: other[kind],
  }));
  for (const [field, value] of Object.entries(other.data)) {
    if (value === null) continue;
    const isBetter =
      data[field] === null || weak.some(({ own, others }) => own.has(field) && !others.has(field));
    if (!isBetter) {
      data[field] = filled(data[field], value);
      continue;
    }
    if (data[field] === null || !isEmpty(value)) data[field] = value;
    for (const { own, others } of weak) {
      if (others.has(field)) own.add(field);
      else own.delete(field);
    }
  }
  const [rounded, partial] = weak.map(({ own }) => own) as [Set<string>, Set<string>];
  return { data: data as Data, rounded, partial };
}
