import { BalanceWatch } from './alerts/balance-watch.js';
import { SqliteAlerts } from './alerts/sqlite/sqlite-alerts.js';
import type { Hosting } from './hosting.js';
import type { Mailer } from './mail/mailer.js';
import { type OpenPaymentsOptions, openPayments } from './packs/open-payments.js';
import { SqliteAdminSignIn } from './sign-in/sqlite/sqlite-admin-sign-in.js';
import { SqliteSignIn } from './sign-in/sqlite/sqlite-sign-in.js';

export interface HostingOptions extends OpenPaymentsOptions {
  /** Closed with the desk. */
  readonly mailer: Mailer;
}

/** Opens the desk of a data directory. */
export function openHosting(options: HostingOptions): Hosting {
  const { opened, config, mailer, clock, publicUrl, troubled } = options;
  const { books, holders, digest, accounts } = opened;
  const { emailAllow } = config;
  const alerts = new SqliteAlerts(books);
  const watch = new BalanceWatch({ alerts, mailer, clock, publicUrl, troubled });
  return {
    accounts,
    signIn: new SqliteSignIn({ books, holders, digest, mailer, clock, publicUrl, emailAllow }),
    admin: new SqliteAdminSignIn(books, clock),
    payments: openPayments(options),
    alerts,
    deleteAccount: (account) => accounts.delete(account),
    start: () => watch.start(),
    async stop() {
      const stopped = watch.stop();
      await mailer.close();
      await stopped;
    },
  };
}
