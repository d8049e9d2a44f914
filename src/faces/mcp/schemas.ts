import * as z from 'zod';
import { cachedPriceText } from '../../../lib/call/price.js';
import { coverage } from '../../../lib/coverage-schema.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { itemSource } from '../../../lib/item-source-schema.js';
import { kindOf } from '../../../lib/params/describe.js';
import { isRecord } from '../../../lib/read/json.js';

/** A JSON Schema in the protocol's form. */
export interface ObjectSchema {
  [key: string]: unknown;
  type: 'object';
  properties: Record<string, object>;
  required?: string[];
}

export type Schemas = Readonly<Record<string, z.ZodType>>;

/** Returns the input schema of a tool: closed, and without a top-level “one of”, which many clients do not support. */
export function inputSchema(params: Schemas): ObjectSchema {
  const required = Object.keys(params).filter((name) => params[name]?.safeParse(undefined).success === false);
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(params).map(([name, schema]) => [name, { ...kindOf(schema) }]),
    ),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/**
 * Returns the input schema of an endpoint's tool: identifying parameters are described in words, and `limit` has the
 * tool's own default.
 */
export function endpointInput(endpoint: Endpoint, extra: Schemas, defaultLimit: number): ObjectSchema {
  const { properties, ...rest } = inputSchema({ ...endpoint.params, ...extra });
  for (const [name, kind] of Object.entries(properties) as [string, { description?: string }][]) {
    const other = endpoint.exactlyOne?.find((one) => one !== name);
    if (endpoint.exactlyOne?.includes(name) === true) {
      properties[name] = {
        ...kind,
        description: `${kind.description ?? ''} Give this or ${other}: exactly one.`,
      };
    }
    if (name === 'limit' && endpoint.page !== null) {
      const description = `Items per page; the price is the same for 1 and for ${endpoint.page.max}.`;
      properties[name] = { ...kind, description, default: defaultLimit };
    }
  }
  return { ...rest, type: 'object', properties };
}

/**
 * Returns the schema of data that may be shown in part: every key is optional, because `fields` may omit any, and
 * references are inlined. Keywords that repeat a format or a type are dropped.
 */
export function dataSchema(returns: z.ZodType, many: boolean): object {
  const {
    $schema: _,
    $defs,
    ...schema
  } = z.toJSONSchema(many ? z.array(returns) : returns, {
    override({ jsonSchema: node }) {
      delete node.required;
      if (node.format === 'date-time') delete node.pattern;
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
    },
  });
  const inlined = (_key: string, part: unknown) => {
    if (!isRecord(part) || typeof part.$ref !== 'string') return part;
    const { $ref, ...rest } = part;
    return { ...$defs?.[$ref.replace('#/$defs/', '')], ...rest };
  };
  return JSON.parse(JSON.stringify(schema, inlined)) as object;
}

const meta = z
  .strictObject({
    request_id: z.string().describe('ID of the call: for get_answer, the usage ledger and support.'),
    credits_charged: z.int().min(0).describe('What the call cost; 0 for a demo.'),
    credits_remaining: z.int().min(0).describe('Balance after the call.'),
    cached: z.boolean().describe(`Answered from the cache; ${cachedPriceText}.`),
    fetched_at: z.string().describe('When the data was read, ISO 8601 UTC.'),
    next_cursor: z
      .string()
      .nullable()
      .describe('Pass it as cursor for the next page; null on the last page.'),
  })
  .describe('Cost of the call, and cursor of the next page.');

const sourcesSchema = {
  ...dataSchema(itemSource, true),
  description: 'With sources: true. The source of each item, in order.',
};

const coverageSchema = {
  ...dataSchema(coverage, false),
  description: 'With sources: true. How complete the answer is.',
};

/** Returns the schema of the envelope around every tool's data. */
export function outputSchema(data: object, withMeta: boolean): ObjectSchema {
  const metaSchema = { ...dataSchema(meta, false), required: Object.keys(meta.shape) };
  return {
    type: 'object',
    properties: {
      demo: { type: 'boolean', description: 'True when the data is invented sample data.' },
      notes: {
        type: 'array',
        items: { type: 'string' },
        description: 'Notes on this answer: whether it is a demo, what was cut, how to get the rest.',
      },
      data,
      ...(withMeta ? { meta: metaSchema, sources: sourcesSchema, coverage: coverageSchema } : {}),
    },
    required: ['demo', 'notes', 'data', ...(withMeta ? ['meta'] : [])],
    additionalProperties: false,
  };
}
