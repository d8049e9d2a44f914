import type { FastifyInstance } from 'fastify';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { keyObject } from '../../service/accounts/account-objects.js';
import type { AccountStore } from '../../service/accounts/account-store.js';
import { withSpend } from '../../service/usage/key-spend.js';
import type { AccountDependencies } from './account-routes.js';
import { apiRoute, serveRoute } from './api-route.js';

export const keysRoute = apiRoute({
  method: 'get',
  path: '/keys',
  operationId: 'list_keys',
  tag: 'account',
  summary: 'The API keys of the account, oldest first, including revoked ones',
  description: 'Secrets are never shown again. You create and revoke keys on the dashboard. Free.',
  answer: { description: 'The keys.', data: keyObject, many: true },
});

export interface KeyDependencies extends AccountDependencies {
  readonly accounts: AccountStore;
}

/**
 * Lists the keys of the caller's account. A key cannot create or revoke keys. Otherwise the finder of a lost key
 * could create others that outlive it, or lock its owner out.
 */
export function addKeyRoutes(app: FastifyInstance, dependencies: KeyDependencies): void {
  const { services, accounts, usage } = dependencies;

  serveRoute(app, dependencies, keysRoute, async ({ owner: { account, platforms } }) => {
    // The list includes keys of all platforms.
    if (platforms !== null) {
      throw new ExtractError(
        'platform_not_allowed',
        `The API key may only call ${platforms.join(', ')}, and an account’s keys cover all platforms.`,
      );
    }
    const keys = await accounts.listKeys(account);
    const data = await Promise.all(keys.map((key) => withSpend(key, usage, services.clock.now())));
    return { data };
  });
}
