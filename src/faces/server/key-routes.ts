import type { FastifyInstance } from 'fastify';
import type { Services } from '../../../lib/call/call.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { parseParams } from '../../../lib/params/parse.js';
import { parseQuery, queryText } from '../../../lib/params/query.js';
import type { Accounts } from '../../service/accounts/accounts.js';
import { withSpend } from '../../service/usage/key-spend.js';
import type { UsageQueries } from '../../service/usage/usage-queries.js';
import type { Access } from './access.js';

const keysRoute = { path: 'keys', params: {}, exactlyOne: null, renamed: {} };

export interface KeyDependencies {
  readonly services: Services;
  readonly accounts: Accounts;
  readonly access: Access;
  readonly usage: UsageQueries;
}

/**
 * The keys of the caller's account, to be looked at. A key makes and revokes none. A finder of a lost key could make
 * others that outlive it, or lock its owner out.
 */
export function addKeyRoutes(
  app: FastifyInstance,
  { services, accounts, access, usage }: KeyDependencies,
): void {
  app.get('/v1/keys', async (request, reply) => {
    const { account, platforms } = await access.admit(request, reply);
    // The keys are those of all platforms.
    if (platforms !== null) {
      throw new ExtractError(
        'platform_not_allowed',
        `The API key may call ${platforms.join(', ')} alone, and the keys of an account are those of all platforms.`,
      );
    }
    parseParams(keysRoute, parseQuery(queryText(request)), true);
    const { credits } = await services.ledger.balance(account);
    const keys = await accounts.listKeys(account);
    reply.header('Cache-Control', 'no-store');
    return {
      data: await Promise.all(keys.map((key) => withSpend(key, usage, services.clock.now()))),
      meta: { request_id: request.id, credits_remaining: credits },
    };
  });
}
