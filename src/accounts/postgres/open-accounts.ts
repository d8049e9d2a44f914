import type { Postgres } from '../../../lib/postgres/postgres.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { alertsSchema, PostgresAlerts } from '../alerts/postgres/postgres-alerts.js';
import type { KeyedDigest } from '../digests.js';
import type { HostingStore } from '../hosting.js';
import { packsSchema } from '../packs/postgres/packs-schema.js';
import { PostgresPurchases } from '../packs/postgres/postgres-purchases.js';
import { PostgresAdminSignIn } from '../sign-in/postgres/postgres-admin-sign-in.js';
import { PostgresSignIn } from '../sign-in/postgres/postgres-sign-in.js';
import { Sessions } from '../sign-in/postgres/sessions.js';
import { SignInLinks } from '../sign-in/postgres/sign-in-links.js';
import { signInSchema } from '../sign-in/postgres/sign-in-schema.js';
import type { AccountMoney } from './account-money.js';
import { accountsSchema } from './accounts-schema.js';
import { type AccountRows, PostgresAccounts } from './postgres-accounts.js';
import { Users } from './users.js';

export interface PostgresHostingOptions {
  readonly postgres: Postgres;
  readonly clock: Clock;
  /** The ledger's part in the transactions of accounts. */
  readonly money: AccountMoney;
  readonly digest: KeyedDigest;
  readonly trialCredits: number;
  /** Stores outside of accounts that keep rows of an account: webhooks before the jobs that they belong to. */
  readonly rows: readonly AccountRows[];
}

/** The tables of accounts. */
export const hostingSchemas = [accountsSchema, signInSchema, packsSchema, alertsSchema] as const;

/** The stores of accounts in a database, whose tables are there. */
export function postgresHosting(options: PostgresHostingOptions): HostingStore {
  const { postgres, clock, money, digest, trialCredits, rows } = options;
  const users = new Users(money, digest, trialCredits);
  const sessions = new Sessions(postgres);
  const links = new SignInLinks();
  const purchases = new PostgresPurchases(postgres, clock, users, money);
  const alerts = new PostgresAlerts(postgres, money);
  const all = [...rows, sessions, links, purchases, alerts];
  return {
    accounts: new PostgresAccounts({ postgres, clock, users, money, rows: all }),
    alerts,
    purchases,
    adminSignIn: new PostgresAdminSignIn(postgres, clock),
    createSignIn: (given) => new PostgresSignIn({ ...given, postgres, users, sessions, links, digest }),
  };
}
