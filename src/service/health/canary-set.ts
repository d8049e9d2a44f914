import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { parseParams } from '../../../lib/params/parse.js';
import { type Canary, canarySchema, fieldsOf } from './canary.js';

export interface ResolvedCanary {
  readonly canary: Canary;
  readonly endpoint: Endpoint;
}

const invalid = (file: string, what: string, cause?: unknown) =>
  new ExtractError('invalid_parameter', `The canary file ${JSON.stringify(file)} ${what}`, { cause });

function resolveCanary(canary: Canary, endpoints: readonly Endpoint[]): ResolvedCanary {
  const endpoint = endpoints.find(({ path }) => path === canary.endpoint);
  if (endpoint === undefined) throw new Error(`names the unknown endpoint ${canary.endpoint}.`);
  endpoint.identify(parseParams(endpoint, canary.params));
  const fields = fieldsOf(endpoint);
  const unknown = [...canary.filled, ...Object.keys(canary.match)].find(
    (name) => !fields.includes(name.split('.', 1)[0] ?? ''),
  );
  if (unknown !== undefined) throw new Error(`names ${unknown}, which ${canary.endpoint} does not have.`);
  return { canary, endpoint };
}

function resolveCanaries(canaries: readonly Canary[], endpoints: readonly Endpoint[]): ResolvedCanary[] {
  const all = canaries.map((canary) => resolveCanary(canary, endpoints));
  return endpoints.flatMap((endpoint) => all.filter((one) => one.endpoint === endpoint));
}

/**
 * Reads an operator's canaries from a JSON list. They replace an endpoint's default one. Rejects `invalid_parameter`
 * with the position in the file.
 */
async function readCanaries(file: string, endpoints: readonly Endpoint[]): Promise<ResolvedCanary[]> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw invalid(file, 'is not valid JSON.', cause);
  }
  const parsed = z.array(canarySchema).safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(file, `is invalid at ${issue?.path.join('.') || 'its beginning'}: ${issue?.message}.`);
  }
  return parsed.data.map((canary, index) => {
    try {
      return resolveCanary(canary, endpoints);
    } catch (cause) {
      throw invalid(file, `is invalid in canary ${index + 1}: ${(cause as Error).message}`, cause);
    }
  });
}

/** Returns the canaries of all endpoints: the operator's, otherwise the default ones. */
export async function canarySet(
  file: string | undefined,
  endpoints: readonly Endpoint[],
): Promise<readonly ResolvedCanary[]> {
  const { defaultCanaries } = await import('./default-canaries.js');
  const defaults = resolveCanaries(
    defaultCanaries.filter(({ endpoint }) => endpoints.some(({ path }) => path === endpoint)),
    endpoints,
  );
  if (file === undefined) return defaults;
  const operatorCanaries = await readCanaries(file, endpoints);
  return endpoints.flatMap((endpoint) => {
    const chosen = operatorCanaries.filter((one) => one.endpoint === endpoint);
    return chosen.length > 0 ? chosen : defaults.filter((one) => one.endpoint === endpoint);
  });
}
