import type { ApiKey } from '../../service/accounts/account-objects.js';
import { isActive } from '../../service/accounts/accounts.js';
import type { DashboardContext } from './context.js';

/** Returns the keys of an account that can be used now. */
export async function activeKeys(
  { hosting, services }: DashboardContext,
  account: string,
): Promise<readonly ApiKey[]> {
  const keys = await hosting.accounts.listKeys(account);
  return keys.filter((key) => isActive(key, services.clock.now()));
}
