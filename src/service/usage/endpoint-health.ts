import type { Registry } from 'prom-client';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { sampleDataOf } from '../../../lib/samples.js';

/** A field that is almost always null although the sample has it: the sign of a changed page. */
interface NullAlert {
  readonly field: string;
  /** From 0 to 1. */
  readonly share: number;
}

/** The calls of an endpoint since the server started. */
export interface EndpointHealth {
  /** Empty for requests outside of the table. */
  readonly path: string;
  readonly cache: number;
  readonly fetch: number;
  readonly demo: number;
  /** Most frequent first. */
  readonly refusals: readonly { readonly code: string; readonly count: number }[];
  /** Objects read from the platform. */
  readonly items: number;
  readonly alerts: readonly NullAlert[];
}

/** Minimum objects for a meaningful share of nulls. */
const minItems = 20;
const minNullShare = 0.9;

interface Value {
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
  readonly value: number;
}

/** Returns one endpoint's values of a metric by name. */
async function valuesOf(registry: Registry): Promise<(name: string, path: string) => readonly Value[]> {
  const metrics = await registry.getMetricsAsJSON();
  return (name, path) => {
    const values = (metrics.find((metric) => metric.name === name)?.values ?? []) as readonly Value[];
    return values.filter(({ labels }) => labels.endpoint === path);
  };
}

const fieldsByEndpoint = new WeakMap<Endpoint, Promise<ReadonlySet<string>>>();

async function readSampleFields(endpoint: Endpoint): Promise<ReadonlySet<string>> {
  const items = [await sampleDataOf(endpoint)].flat() as readonly Readonly<Record<string, unknown>>[];
  return new Set(items.flatMap((item) => Object.keys(item).filter((field) => item[field] !== null)));
}

/** Returns the fields that the endpoint's sample has. On an unchanged page, some objects have each of them. */
function sampleFields(endpoint: Endpoint): Promise<ReadonlySet<string>> {
  const fields = fieldsByEndpoint.get(endpoint) ?? readSampleFields(endpoint);
  fieldsByEndpoint.set(endpoint, fields);
  fields.catch(() => fieldsByEndpoint.delete(endpoint));
  return fields;
}

/** Returns the health of every endpoint in table order, then of requests outside of the table. */
export async function endpointHealth(registry: Registry): Promise<EndpointHealth[]> {
  const values = await valuesOf(registry);
  const rows = [
    ...endpoints.map(async (endpoint) => ({ path: endpoint.path, expected: await sampleFields(endpoint) })),
  ];
  const outside = { path: '', expected: new Set<string>() as ReadonlySet<string> };
  return [...(await Promise.all(rows)), outside].map(({ path, expected }) => {
    const from = (source: string) =>
      values('extract_answers_total', path).find(({ labels }) => labels.source === source)?.value ?? 0;
    const items = values('extract_items_total', path)[0]?.value ?? 0;
    const alerts = values('extract_null_fields_total', path)
      .map(({ labels, value }) => ({ field: String(labels.field), share: items === 0 ? 0 : value / items }))
      .filter(({ field, share }) => items >= minItems && share >= minNullShare && expected.has(field));
    const refusals = values('extract_refusals_total', path)
      .map(({ labels, value }) => ({ code: String(labels.code), count: value }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count);
    return {
      path,
      cache: from('cache'),
      fetch: from('fetch') + from('browser'),
      demo: from('demo'),
      refusals,
      items,
      alerts,
    };
  });
}
