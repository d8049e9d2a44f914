import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../read/json.js';
import type { Route } from './route.js';

type Fills = Pick<Route<never, unknown>, 'fills'>;

/** An object with the fields whose numbers are rounded. */
export interface Merged<Data> {
  readonly data: Data;
  readonly rounded: ReadonlySet<string>;
}

/** What one route read of a subject; `rounded` as its page shows, if that says more than the route's `fills`. */
export function readBy<Data extends object>(
  data: Data,
  { fills }: Fills,
  rounded: readonly string[] = Object.keys(fills).filter((field) => fills[field] === 'rounded'),
): Merged<Data> {
  const values = data as Readonly<Record<string, unknown>>;
  return { data, rounded: new Set(rounded.filter((field) => (values[field] ?? null) !== null)) };
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

/** Fills what is null, and replaces rounded numbers by exact ones. Both must be of the same subject. */
export function merge<Data extends object>(base: Merged<Data>, other: Merged<Partial<Data>>): Merged<Data> {
  const data: Record<string, unknown> = { ...base.data } as Record<string, unknown>;
  const rounded = new Set(base.rounded);
  for (const [field, value] of Object.entries(other.data)) {
    if (value === null || value === undefined) continue;
    const isBetter = data[field] === null || (rounded.has(field) && !other.rounded.has(field));
    data[field] = isBetter ? value : filled(data[field], value);
    if (!isBetter) continue;
    if (other.rounded.has(field)) rounded.add(field);
    else rounded.delete(field);
  }
  return { data: data as Data, rounded };
}
