import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Services } from '../../../lib/call/call.js';
import { usageRow } from '../../../lib/ledger/usage-row.js';
import { integer, moment } from '../../../lib/params/vocabulary.js';
import { accountObject } from '../../service/accounts/account-objects.js';
import type { Access } from '../../service/limits/access.js';
import { keySpend } from '../../service/usage/key-spend.js';
import type { UsageQueries } from '../../service/usage/ledger-usage.js';
import { apiRoute, pageOf, serveRoute } from './api-route.js';
import { cursorParam } from './query.js';

export interface AccountDependencies {
  readonly services: Services;
  readonly access: Access;
  readonly usage: UsageQueries;
}

const usageParams = {
  limit: integer(1, 100, 'Rows a page.').default(100),
  cursor: cursorParam,
  from: moment('Calls from this day or time on (ISO 8601).').optional(),
  to: moment('Calls before this day or time (ISO 8601).').optional(),
  endpoint: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('Only calls of this endpoint, such as `maps/place`.'),
  job_id: z.string().min(1).max(64).optional().describe('Only calls of this job.'),
};

export const accountRoute = apiRoute({
  method: 'get',
  path: '/account',
  operationId: 'get_account',
  tag: 'account',
  summary: 'The account of the key, its balance and what the key may do',
  answer: { description: 'The account.', data: accountObject },
});

export const usageRoute = apiRoute({
  method: 'get',
  path: '/usage',
  operationId: 'list_usage',
  tag: 'account',
  summary: 'The usage ledger, newest calls first',
  description:
    'One row for each call. A failed call shows a charge of 0 and the refund. With filters, a page before the last one may have fewer rows than `limit`, or none, because a long history is searched in parts. Free.',
  params: usageParams,
  answer: { description: 'A page of rows.', data: usageRow, many: true, isPaged: true },
});

/** Routes for the account itself: its balance, and the ledger of its calls. */
export function addAccountRoutes(app: FastifyInstance, dependencies: AccountDependencies): void {
  const { services, usage } = dependencies;

  serveRoute(app, dependencies, accountRoute, async ({ owner: holder }) => {
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
    return { data, credits };
  });

  serveRoute(app, dependencies, usageRoute, async ({ owner: { account, platforms }, query }) => {
    const { limit, cursor, from, to, endpoint, job_id: job } = query;
    const list = ['usage', account, from, to, endpoint, job, ...(platforms ?? [])];
    const { before, nextCursor } = await pageOf(services, list, cursor);
    const { rows, next } = await usage.listCalls(account, {
      ...{ limit, before, from, to, endpoint, job },
      platforms: platforms ?? undefined,
    });
    return { data: rows, next: nextCursor(next) };
  });
}
