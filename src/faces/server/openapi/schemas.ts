import * as z from 'zod';
import { cachedPriceText } from '../../../../lib/call/price.js';
import { coverage } from '../../../../lib/coverage-schema.js';
import { endpoints } from '../../../../lib/endpoints.js';
import { catalogue } from '../../../../lib/errors/extract-error.js';
import { itemSource } from '../../../../lib/item-source-schema.js';
import { usageRow } from '../../../../lib/ledger/usage-row.js';
import { shortvideoHashtag } from '../../../../lib/platforms/shortvideo/objects.js';
import { accountObject, keyObject } from '../../../service/accounts/account-objects.js';
import {
  deliveryObject,
  jobObject,
  newWebhookSecretObject,
  scheduleChangeObject,
  scheduleObject,
  scheduleRunObject,
  webhookSecretObject,
} from '../../../service/jobs/job-objects.js';
import { linkObject, newLinkObject } from '../../../service/jobs/links/link-objects.js';

/** A JSON Schema, or any other part of the description, as plain JSON. */
export type Plain = Readonly<Record<string, unknown>>;

export const schemaRef = (name: string): Plain => ({ $ref: `#/components/schemas/${name}` });

/** `meta` of the read endpoints' answers. */
const meta = z
  .strictObject({
    request_id: z.string().regex(/^req_/).describe('ID of the request. Quote it when you ask for help.'),
    credits_charged: z.int().min(0).describe('Price of the call; 0 for a demo call.'),
    credits_remaining: z.int().min(0).describe('Balance after the call; 0 for a demo call without a key.'),
    cached: z.boolean().describe(`Served from the cache; ${cachedPriceText}.`),
    fetched_at: z.iso
      .datetime()
      .describe('When the data was fetched; for a cached answer, when it was first fetched.'),
    next_cursor: z
      .string()
      .nullable()
      .describe('Pass it as `cursor` for the next page; null on the last page.'),
  })
  .meta({ id: 'meta' });

const error = z
  .strictObject({
    type: z
      .enum([...new Set(Object.values(catalogue).map(({ type }) => type))])
      .describe('Class of the error.'),
    code: z.enum(Object.keys(catalogue) as [string, ...string[]]).describe('Stable; branch on it.'),
    message: z.string().describe('What went wrong and what to do next. The wording may change.'),
    docs: z.string().describe('URL of the page that explains the code.'),
    request_id: z.string().describe('The same as `meta.request_id` and `X-Request-Id`.'),
  })
  .meta({ id: 'error' });

export function objectName(schema: z.ZodType): string {
  const id = schema.meta()?.id;
  if (id === undefined) throw new Error('an object without a name is answered');
  return id;
}

/** Every object that an answer can contain, and one that the contract names although no endpoint returns it. */
const objects: readonly z.ZodType[] = [
  ...new Set([...endpoints.map(({ returns }) => returns), shortvideoHashtag, itemSource, coverage]),
];

/** Removes Zod's own bounds of numbers and the patterns of dates, which mean nothing to people. */
function withoutNoise({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

const namedSchemas: readonly z.ZodType[] = [
  ...objects,
  accountObject,
  keyObject,
  usageRow,
  jobObject,
  scheduleObject,
  scheduleRunObject,
  scheduleChangeObject,
  deliveryObject,
  webhookSecretObject,
  newWebhookSecretObject,
  linkObject,
  newLinkObject,
  meta,
  error,
];

/** Returns the names of the schemas without creating them. */
export const objectNames = (): readonly string[] => namedSchemas.map(objectName);

let cachedSchemas: Readonly<Record<string, Plain>> | undefined;

/** Returns every schema by name. Created once, because every page of an object uses them. */
export function componentSchemas(): Readonly<Record<string, Plain>> {
  cachedSchemas ??= makeSchemas();
  return cachedSchemas;
}

function makeSchemas(): Readonly<Record<string, Plain>> {
  const registry = z.registry<{ id: string }>();
  for (const schema of namedSchemas) {
    registry.add(schema, { id: objectName(schema) });
  }
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    override: withoutNoise,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [
      name,
      // No endpoint returns it; it is referenced here because `hashtag_names` holds the names of such objects.
      name === 'shortvideo_video'
        ? { ...schema, $defs: { hashtag: schemaRef('shortvideo_hashtag') } }
        : schema,
    ]),
  );
}
