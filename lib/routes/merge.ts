import type { Fill, Route } from './route.js';

type Fills = Pick<Route<never, unknown>, 'fills'>;

/** An object with the fields whose numbers are rounded, and those of which another route has more. */
export interface Merged<Data> {
  readonly data: Data;
  readonly rounded: ReadonlySet<string>;
  readonly smaller: ReadonlySet<string>;
}

/** What one route read of a subject. */
export function readBy<Data extends object>(data: Data, { fills }: Fills): Merged<Data> {
  const filled = (fill: Fill) =>
    new Set(
      Object.entries(data).flatMap(([key, value]) => (value !== null && fills[key] === fill ? [key] : [])),
    );
  return { data, rounded: filled('rounded'), smaller: filled('smaller') };
}

/** Fills what is null, and replaces rounded and smaller values by whole ones. Both must be of the same subject. */
export function merge<Data extends object>(base: Merged<Data>, other: Merged<Data>): Merged<Data> {
  const data: Record<string, unknown> = { ...base.data } as Record<string, unknown>;
  const rounded = new Set(base.rounded);
  const smaller = new Set(base.smaller);
  for (const [field, value] of Object.entries(other.data)) {
    if (value === null) continue;
    const isLess = (of: Merged<Data>['rounded'], than: Merged<Data>['rounded']) =>
      of.has(field) && !than.has(field);
    const isBetter = isLess(rounded, other.rounded) || isLess(smaller, other.smaller);
    if (data[field] !== null && !isBetter) continue;
    data[field] = value;
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
