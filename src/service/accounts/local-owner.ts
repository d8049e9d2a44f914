import { type Ledger, localAccount } from '../../../lib/ledger/ledger.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { newRequestId } from '../../../lib/runtime/request-id.js';
import type { KeyOwner } from './accounts.js';

/** The owner of all requests to a server without keys: the account that the commands of its machine use. */
export const localOwner: KeyOwner = {
  account: localAccount,
  email: 'local@localhost',
  verified: true,
  key: { id: 'key_local', name: 'this machine' },
  platforms: null,
  expires_at: null,
  since: new Date(0).toISOString(),
};

/** More than a machine can spend, even on jobs paid for in advance. */
const plenty = 1_000_000_000;

/** Tops up the local account, because credits cannot be bought on one's own machine. */
export async function fillLocalAccount(ledger: Ledger, clock: Clock): Promise<void> {
  if ((await ledger.balance(localAccount)).credits > plenty / 2) return;
  const at = new Date(clock.now()).toISOString();
  await ledger.grant({ id: newRequestId(), account: localAccount, credits: plenty, kind: 'pack', at });
}
