import type * as z from 'zod';
import { coverage } from '../../../../lib/coverage-schema.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { itemSource } from '../../../../lib/item-source-schema.js';
import { kindOf } from '../../../../lib/params/describe.js';
import { sampleDataOf, sampleParamsOf } from '../../../../lib/samples.js';
import { commonHeaders, errorResponses } from './responses.js';
import { objectName, type Plain, schemaRef } from './schemas.js';

/** The errors that the contract lists for read endpoints, and 500 for a fault of ours. */
export const readStatuses = [400, 401, 403, 404, 429, 500, 502];

const exampleItems = 2;

/** Returns the query parameters, from the schemas that validate them. */
export function queryParameters(
  params: Readonly<Record<string, z.ZodType>>,
  examples: Readonly<Record<string, unknown>> = {},
): Plain[] {
  return Object.entries(params).map(([name, schema]) => {
    const { description = '', ...kind } = kindOf(schema);
    return {
      name,
      in: 'query',
      description,
      required: !schema.safeParse(undefined).success,
      schema: kind,
      ...(name in examples ? { example: examples[name] } : {}),
    };
  });
}

/** Returns the schema of the envelope around an object or a list. */
export function envelopeSchema(data: Plain, meta: Plain, more: Plain = {}): Plain {
  return {
    type: 'object',
    properties: { data, meta, ...more },
    required: ['data', 'meta'],
    additionalProperties: false,
  };
}

/** Returns what demo mode answers, shortened if it is a list. */
export async function demoEnvelope(endpoint: Endpoint): Promise<Plain> {
  const data = await sampleDataOf(endpoint);
  return {
    data: Array.isArray(data) ? data.slice(0, exampleItems) : data,
    meta: {
      request_id: 'req_01JZ8Q4T5M7N9P2R4S6V8X0Y1Z',
      credits_charged: 0,
      credits_remaining: 0,
      cached: false,
      fetched_at: '2026-01-01T00:00:00.000Z',
      next_cursor: null,
    },
  };
}

const sources: Plain = {
  type: 'array',
  items: schemaRef(objectName(itemSource)),
  description: 'With `sources=true`: the source of each item, in order; one entry for an object.',
};

/** Returns the `GET` operation of an endpoint. */
export async function readOperation(endpoint: Endpoint): Promise<Plain> {
  const object = schemaRef(objectName(endpoint.returns));
  const { exactlyOne } = endpoint;
  const rule = exactlyOne === null ? '' : `\n\nGive exactly one of \`${exactlyOne.join('` and `')}\`.`;
  return {
    operationId: endpoint.operation,
    summary: endpoint.summary,
    description: `${endpoint.description}${rule}\n\nCosts ${endpoint.credits} credits; cached for ${endpoint.cacheSeconds / 3600} h.`,
    tags: [endpoint.platform],
    'x-credits': endpoint.credits,
    'x-cache-seconds': endpoint.cacheSeconds,
    ...(exactlyOne === null ? {} : { 'x-exactly-one-of': exactlyOne }),
    security: [{ api_key: [] }, {}],
    parameters: queryParameters(endpoint.params, await sampleParamsOf(endpoint)),
    responses: {
      200: {
        description: endpoint.many ? 'A page of the list.' : 'The object.',
        headers: commonHeaders,
        content: {
          'application/json': {
            schema: envelopeSchema(
              endpoint.many ? { type: 'array', items: object } : object,
              schemaRef('meta'),
              { sources, coverage: schemaRef(objectName(coverage)) },
            ),
            examples: {
              demo: {
                summary: 'What `demo=true` answers',
                value: await demoEnvelope(endpoint),
              },
            },
          },
        },
      },
      ...errorResponses(readStatuses),
    },
  };
}
