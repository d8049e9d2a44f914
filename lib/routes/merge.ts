import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../read/json.js';
import type { Route } from './route.js';

type Fills = Pick<Route<never, unknown>, 'fills'>;

/** An object with the fields whose numbers are rounded, and those of which another route has more. */
export interface Merged<Data> {
  readonly data: Data;
  readonly rounded: ReadonlySet<string>;
  readonly smaller: ReadonlySet<string>;
}

/** What one route read of a subject; `rounded` as its page shows, if that says more than the route's `fills`. */
export function readBy<Data extends object>(
  data: Data,
  { fills }: Fills,
  rounded: readonly string[] = Object.keys(fills).filter((field) => fills[field] === 'rounded'),
): Merged<Data> {
  const values = data as Readonly<Record<string, unknown>>;
  const filled = (fields: readonly string[]) =>
    new Set(fields.filter((field) => (values[field] ?? null) !== null));
  const smaller = Object.keys(fills).filter((field) => fills[field] === 'smaller');
  return { data, rounded: filled(rounded), smaller: filled(smaller) };
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

/** Fills what is null, and replaces rounded and smaller values by whole ones. Both must be of the same subject. */
export function merge<Data extends object>(base: Merged<Data>, other: Merged<Data>): Merged<Data> {
  const data: Record<string, unknown> = { ...base.data } as Record<string, unknown>;
  const rounded = new Set(base.rounded);
  const smaller = new Set(base.smaller);
  for (const [field, value] of Object.entries(other.data)) {
    if (value === null) continue;
    const isLess = (of: ReadonlySet<string>, than: ReadonlySet<string>) => of.has(field) && !than.has(field);
    const isBetter = data[field] === null || isLess(rounded, other.rounded) || isLess(smaller, other.smaller);
    data[field] = isBetter ? value : filled(data[field], value);
    if (!isBetter) continue;
    for (const [own, others] of [
      [rounded, other.rounded],
      [smaller, other.smaller],
    ] as const) {
      if (others.has(field)) own.add(field);
      else own.delete(field);
    }
  }
  return { data: data as Data, rounded, smaller };
}
