import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Services } from '../../../lib/call/call.js';
import { firstPosition, openCursor, sealCursor } from '../../../lib/call/cursor.js';
import { parseParams } from '../../../lib/params/parse.js';
import { parseQuery, queryText } from '../../../lib/params/query.js';
import { integer } from '../../../lib/params/vocabulary.js';
import { keySpend } from '../../service/usage/key-spend.js';
import type { UsageQueries } from '../../service/usage/usage-queries.js';
import type { Access } from './access.js';
import { cursorParam } from './query.js';

export interface AccountDependencies {
  readonly services: Services;
  readonly access: Access;
  readonly usage: UsageQueries;
}

const moment = (description: string) =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date()])
    .optional()
    .describe(description);

/** Parameters of the usage ledger. */
export const usageParams = {
  limit: integer(1, 100, 'Rows a page.').default(100),
  cursor: cursorParam,
  from: moment('Calls from this day or time on (ISO 8601).'),
  to: moment('Calls before this day or time (ISO 8601).'),
  endpoint: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('Only calls of this endpoint, such as `maps/place`.'),
  job_id: z.string().min(1).max(64).optional().describe('Only calls of this job.'),
};

const usageRoute = { path: 'usage', params: usageParams, exactlyOne: null, renamed: {} };
const accountRoute = { path: 'account', params: {}, exactlyOne: null, renamed: {} };

/** Shows an account itself: its balance, and the ledger of its calls. */
export function addAccountRoutes(
  app: FastifyInstance,
  { services, access, usage }: AccountDependencies,
): void {
  app.get('/v1/account', async (request, reply) => {
    const holder = await access.admit(request, reply);
    parseParams(accountRoute, parseQuery(queryText(request)), true);
    const { credits, bought } = await services.ledger.balance(holder.account);
    const data = {
      id: holder.account,
      email: holder.email,
      is_verified: holder.verified,
      created_at: holder.since,
      credits_remaining: credits,
      credits_kind: bought ? 'bought' : 'trial',
      api_key: {
        id: holder.key.id,
        name: holder.key.name,
        platforms: holder.platforms,
        expires_at: holder.expires_at,
        ...(await keySpend(usage, holder.key, services.clock.now())),
      },
    };
    reply.header('Cache-Control', 'no-store');
    return { data, meta: { request_id: request.id, credits_remaining: credits } };
  });

  app.get('/v1/usage', async (request, reply) => {
    const { account, platforms } = await access.admit(request, reply);
    const params = parseParams(usageRoute, parseQuery(queryText(request)), true) as {
      readonly [Name in keyof typeof usageParams]: z.output<(typeof usageParams)[Name]>;
    };
    const { limit, cursor, from, to, endpoint, job_id: job } = params;
    const secret = await services.secret();
    const listing = JSON.stringify(['usage', account, from, to, endpoint, job, ...(platforms ?? [])]);
    const binding = createHash('sha256').update(listing).digest('base64url');
    const now = services.clock.now();
    const { position } = cursor === undefined ? firstPosition : openCursor(secret, binding, cursor, now);
    const before = typeof position === 'string' ? position : undefined;
    const { rows, next } = await usage.listCalls(account, {
      ...{ limit, before, from, to, endpoint, job },
      platforms: platforms ?? undefined,
    });
    const { credits } = await services.ledger.balance(account);
    const nextCursor = next === null ? null : sealCursor(secret, binding, { position: next, seen: [] }, now);
    reply.header('Cache-Control', 'no-store');
    return {
      data: rows,
      meta: { request_id: request.id, credits_remaining: credits, next_cursor: nextCursor },
    };
  });
}
