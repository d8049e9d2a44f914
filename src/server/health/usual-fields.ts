import type { Endpoint } from '../../../lib/endpoint.js';
import { sampleDataOf } from '../../../lib/samples.js';

type Item = Readonly<Record<string, unknown>>;

const known = new WeakMap<Endpoint, Promise<ReadonlySet<string>>>();

async function read(endpoint: Endpoint): Promise<ReadonlySet<string>> {
  const data = await sampleDataOf(endpoint);
  const items = [data].flat() as readonly Item[];
  return new Set(items.flatMap((item) => Object.keys(item).filter((field) => item[field] !== null)));
}

/** Fields that the endpoint's sample has: a page that still is what it was has them in some of its objects, too. */
export function usualFields(endpoint: Endpoint): Promise<ReadonlySet<string>> {
  const fields = known.get(endpoint) ?? read(endpoint);
  known.set(endpoint, fields);
  return fields;
}
