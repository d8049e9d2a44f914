import { usageParams } from '../account-routes.js';
import { envelopeSchema, queryParameters } from './read-operations.js';
import { commonHeaders, errorResponses } from './responses.js';
import { type Plain, schemaRef } from './schemas.js';

/** The answers of the account's own routes beside 200. */
export const accountStatuses = [400, 401, 403, 429, 500];

const requestId = { type: 'string', description: 'ID of the request.' };
const creditsRemaining = { type: 'integer', minimum: 0, description: 'Balance.' };

/** `meta` of answers that are no calls of an endpoint. */
export function metaSchema(more: Plain = {}): Plain {
  const properties = { request_id: requestId, credits_remaining: creditsRemaining, ...more };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** The answers of such a route. */
export function answer(description: string, data: Plain, meta: Plain): Plain {
  return {
    200: {
      description,
      headers: commonHeaders,
      content: { 'application/json': { schema: envelopeSchema(data, meta) } },
    },
    ...errorResponses(accountStatuses),
  };
}

export const accountOperations: Readonly<Record<string, Plain>> = {
  '/account': {
    get: {
      operationId: 'get_account',
      summary: 'The account of the key, its balance and what the key may do',
      description: 'Free.',
      tags: ['account'],
      'x-credits': 0,
      security: [{ api_key: [] }],
      responses: answer('The account.', schemaRef('account'), metaSchema()),
    },
  },
  '/keys': {
    get: {
      operationId: 'list_keys',
      summary: 'The API keys of the account, oldest first, revoked ones included',
      description: 'Secrets are never shown again. You create and revoke keys on the dashboard. Free.',
      tags: ['account'],
      'x-credits': 0,
      security: [{ api_key: [] }],
      responses: answer('The keys.', { type: 'array', items: schemaRef('api_key') }, metaSchema()),
    },
  },
  '/usage': {
    get: {
      operationId: 'list_usage',
      summary: 'The usage ledger, newest calls first',
      description:
        'One row for each call. A failed call shows a charge of 0 and the refund. With filters a page may hold fewer rows than `limit`, or none, before the last one: a long history is looked through a stretch at a time. Free.',
      tags: ['account'],
      'x-credits': 0,
      security: [{ api_key: [] }],
      parameters: queryParameters(usageParams),
      responses: answer(
        'A page of rows.',
        { type: 'array', items: schemaRef('usage_row') },
        metaSchema({
          next_cursor: {
            type: ['string', 'null'],
            description: 'Send it back as `cursor` for the next page; null on the last page.',
          },
        }),
      ),
    },
  },
};
