import type { Database } from '../../../lib/database/database.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import type { Operator } from '../audit/audit-log.js';
import { auditSchema } from '../audit/audit-schema.js';
import { AuditStore, serverOperator } from '../audit/audit-store.js';
import type { AccountMoney } from './account-money.js';
import { type AccountRows, AccountStore } from './account-store.js';
import { accountsSchema } from './accounts-schema.js';
import { AlertStore, alertsSchema } from './alerts/alert-store.js';
import type { KeyedDigest } from './digests.js';
import type { HostingStore } from './hosting.js';
import { packsSchema } from './packs/packs-schema.js';
import { PurchaseStore } from './packs/purchase-store.js';
import { AdminSignInStore } from './sign-in/admin-sign-in-store.js';
import { Sessions } from './sign-in/sessions.js';
import { SignInLinks } from './sign-in/sign-in-links.js';
import { signInSchema } from './sign-in/sign-in-schema.js';
import { SignInStore } from './sign-in/sign-in-store.js';
import { Users } from './users.js';

export interface HostingStoreOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly money: AccountMoney;
  readonly digest: KeyedDigest;
  readonly trialCredits: number;
  /** Further stores with rows of accounts: webhooks before the jobs they belong to. */
  readonly rows: readonly AccountRows[];
  /** The operator who runs a command. Undefined in a server, whose accounts change their own keys. */
  readonly operator?: Operator | undefined;
}

export const hostingSchemas = [accountsSchema, signInSchema, packsSchema, alertsSchema, auditSchema] as const;

/** Opens the accounts' stores in a database with migrated tables. */
export function openHostingStore(options: HostingStoreOptions): HostingStore {
  const { database, clock, money, digest, trialCredits, rows, operator } = options;
  const users = new Users(money, digest, trialCredits);
  const sessions = new Sessions(database);
  const links = new SignInLinks();
  const audit = new AuditStore(database, clock, operator ?? serverOperator);
  const purchases = new PurchaseStore({ database, clock, users, money, audit });
  const alerts = new AlertStore(database, money);
  const all = [...rows, sessions, links, purchases, alerts];
  const operatorsAudit = operator === undefined ? undefined : audit;
  return {
    audit,
    accounts: new AccountStore({ database, clock, users, money, rows: all, audit: operatorsAudit }),
    alerts,
    purchases,
    adminSignIn: new AdminSignInStore(database, clock, audit),
    createSignIn: (parts) => new SignInStore({ ...parts, database, users, sessions, links, digest }),
  };
}
