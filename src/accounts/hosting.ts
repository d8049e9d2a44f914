import type { Accounts } from './accounts.js';
import type { Alerts } from './alerts/alerts.js';
import type { Payments } from './packs/payments.js';
import type { AdminSignIn, SignIn } from './sign-in/sign-in.js';

/** Everything that people who use a hosted server do with their accounts, of one data directory. */
export interface Hosting {
  readonly accounts: Accounts;
  readonly signIn: SignIn;
  readonly admin: AdminSignIn;
  readonly payments: Payments;
  readonly alerts: Alerts;
  /**
   * Deletes an account: its sessions and keys end at once, its jobs are cancelled by the caller before, its credits
   * are gone and its address is free again, without a second trial. The rows of the ledger stay, under the id alone.
   */
  deleteAccount(account: string): Promise<void>;
  /** Begins to watch balances. */
  start(): void;
  stop(): Promise<void>;
}
