import type { Sample } from './call/call.js';
import type { Endpoint } from './endpoint.js';
import type { ErrorCode } from './errors/extract-error.js';
import { parseParams } from './params/parse.js';
import { canonicalJson, type Json } from './read/json.js';
import { sampleFiles } from './sample-files.js';
import { variationOf } from './sample-variation.js';
import { type Route, routeSource } from './web/routes.js';

/**
 * An invented case of an endpoint: its parameters, its pages, and the expected answers.
 * `fixtures/<platform>/<endpoint>/cases.json` is a list of them. Demo mode returns the first for an input that no case
 * is about.
 */
export interface Case {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** `unseen`: the source of a page that no capture shows: who agrees on it, and when. */
  readonly pages: readonly (Route & { readonly unseen?: string })[];
  /** Files with the `data` of each page of the answer, in cursor order. */
  readonly expect?: readonly string[];
  /** The expected error code instead. */
  readonly error?: ErrorCode;
}

/** Maximum bytes of a sample file: larger than any. */
const maxSampleBytes = 16 * 1024 * 1024;

async function readSample(endpoint: Pick<Endpoint, 'path'>, file: string): Promise<unknown> {
  return JSON.parse(Buffer.from(await sampleFiles(endpoint.path)(file, maxSampleBytes)).toString());
}

export async function casesOf(endpoint: Pick<Endpoint, 'path'>): Promise<readonly Case[]> {
  return (await readSample(endpoint, 'cases.json')) as Case[];
}

/** The default answer of demo mode: the first page of the first case. */
export async function sampleDataOf(endpoint: Pick<Endpoint, 'path'>): Promise<unknown> {
  const [first] = await casesOf(endpoint);
  const file = first?.expect?.[0];
  if (file === undefined) throw new Error(`${endpoint.path} has no sample`);
  return readSample(endpoint, file);
}

export async function sampleParamsOf(endpoint: Endpoint): Promise<Readonly<Record<string, unknown>>> {
  const [first] = await casesOf(endpoint);
  return first?.params ?? {};
}

export function identityOf(endpoint: Endpoint, { params }: Case): Readonly<Record<string, Json>> {
  return endpoint.identify(parseParams(endpoint, params));
}

/** What makes a sample similar to an answer: the kind of its subject, its order, and the routes that have it. */
const likenessOf = ({ routes }: Endpoint, identity: Readonly<Record<string, Json>>): string =>
  canonicalJson([
    identity.kind ?? null,
    identity.sort ?? null,
    routes.map(({ applies }) => applies?.(identity as never) ?? true),
  ]);

/**
 * Demo mode: the case about `identity`, or else the first similar one, varied to be about it. Pages are requested and
 * read as over the network.
 */
export async function sampleOf(
  endpoint: Endpoint,
  identity: Readonly<Record<string, Json>>,
): Promise<Sample> {
  const cases = await casesOf(endpoint);
  const key = canonicalJson(identity);
  const sample = cases.find((one) => canonicalJson(identityOf(endpoint, one)) === key);
  const likeness = likenessOf(endpoint, identity);
  const similar = cases.find(
    (one) => one.expect !== undefined && likenessOf(endpoint, identityOf(endpoint, one)) === likeness,
  );
  const chosen = sample ?? similar ?? cases[0];
  if (chosen === undefined) throw new Error(`${endpoint.path} has no fixtures`);
  const pages = routeSource(sampleFiles(endpoint.path), chosen.pages);
  const sampled = identityOf(endpoint, chosen);
  if (sample !== undefined) return { identity: sampled, pages };
  const invented = endpoint.inventPages?.(pages, sampled, identity);
  return invented === undefined
    ? { identity: sampled, pages, vary: variationOf(endpoint, sampled, identity) }
    : { identity, pages: invented };
}
