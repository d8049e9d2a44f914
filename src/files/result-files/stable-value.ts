import * as z from 'zod';
import { endpoints } from '../../../lib/endpoints.js';
import { volatile } from '../../../lib/volatile.js';

type Volatility = NonNullable<ReturnType<typeof volatile.get>>['as'];

const fieldIn = (holder: string, name: string) => `${holder}.${name}`;

const volatility = new Map<string, Volatility>();

function note(schema: z.ZodType, holder: string, name: string): void {
  const how = volatile.get(schema)?.as;
  if (how !== undefined) volatility.set(fieldIn(holder, name), how);
  else if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    note(schema.unwrap() as z.ZodType, holder, name);
  } else if (schema instanceof z.ZodArray) note(schema.element as z.ZodType, holder, name);
  else if (schema instanceof z.ZodObject) {
    for (const [key, field] of Object.entries(schema.shape)) note(field as z.ZodType, name, key);
  }
}

/** Returns the volatile fields of all objects, and how they change. */
export function volatileFields(): ReadonlyMap<string, Volatility> {
  if (volatility.size === 0) for (const { returns } of endpoints) note(returns, '', '');
  return volatility;
}

/** Returns the file name of a media address, which is stable, unlike signatures and hosts. */
function fileOf(address: string): string {
  const path = address.replace(/[?#][\s\S]*/, '');
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * Returns a value without its volatile parts, so that an unchanged object compares equal. `counts` keeps the counts, by
 * which every popular account would change at each run.
 */
export function stableValue(value: unknown, counts: boolean, holder = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => stableValue(one, counts, holder));
  if (value === null || typeof value !== 'object') return value;
  const stable: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const how = volatileFields().get(fieldIn(holder, key));
    if (how === 'moment' || (how === 'count' && !counts)) continue;
    stable[key] =
      how === 'media' && typeof inner === 'string' ? fileOf(inner) : stableValue(inner, counts, key);
  }
  return stable;
}
