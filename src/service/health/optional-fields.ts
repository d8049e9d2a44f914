import * as z from 'zod';
import type { Endpoint } from '../../../lib/endpoint.js';

const known = new WeakMap<Endpoint, readonly string[]>();

/** The fields that an answer of the endpoint may lack. Those that can be null, and lists that can be empty. */
export function optionalFields(endpoint: Endpoint): readonly string[] {
  const made = known.get(endpoint);
  if (made !== undefined) return made;
  const shape = endpoint.returns instanceof z.ZodObject ? endpoint.returns.shape : {};
  const fields = Object.entries(shape)
    .filter(([, schema]) => schema instanceof z.ZodArray || schema.safeParse(null).success)
    .map(([name]) => name);
  known.set(endpoint, fields);
  return fields;
}

/** True for a value that says something: an empty list does not. */
export function isFilled(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/**
 * Which share of an answer's objects holds each of the fields, in their order. A single object has 0 or 1. Null for an
 * empty list, which says nothing about fields.
 */
export function filledShares(fields: readonly string[], data: unknown): readonly number[] | null {
  const items = (Array.isArray(data) ? data : [data]).filter(
    (item): item is Readonly<Record<string, unknown>> => typeof item === 'object' && item !== null,
  );
  if (items.length === 0) return null;
  return fields.map((field) => {
    let filled = 0;
    for (const item of items) if (isFilled(item[field])) filled += 1;
    return filled / items.length;
  });
}
