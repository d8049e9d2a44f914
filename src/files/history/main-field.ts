import * as z from 'zod';
import type { Endpoint } from '../../../lib/endpoint.js';
import { bare } from '../../../lib/params/describe.js';

/** Numbers that people follow, in order of preference. */
const followed = [
  'followers_count',
  'follower_count',
  'user_ratings_total',
  'view_count',
  'like_count',
  'reaction_count',
] as const;

/** Returns the numeric fields of an endpoint's objects, in the contract's order. */
export function numberFields({ returns }: Pick<Endpoint, 'returns'>): readonly string[] {
  const schema = bare(returns);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) =>
    bare(field as z.ZodType) instanceof z.ZodNumber ? [name] : [],
  );
}

/** Returns the default number to chart; null if the objects have none. */
export function mainField(endpoint: Pick<Endpoint, 'returns'>): string | null {
  const names = numberFields(endpoint);
  return followed.find((name) => names.includes(name)) ?? names[0] ?? null;
}
