import type { Clock } from '../../lib/clock.js';
import type { DeskConfig } from '../../lib/config-desk.js';
import type { OpenBooks } from '../server/open-books.js';
import { BalanceWatch } from './alerts/balance-watch.js';
import { SqliteAlerts } from './alerts/sqlite-alerts.js';
import type { Desk } from './desk.js';
import type { Mailer } from './mail/mailer.js';
import { HandProvider } from './packs/hand-provider.js';
import { SqlitePayments } from './packs/sqlite-payments.js';
import { SqliteAdminSignIn } from './sign-in/sqlite-admin-sign-in.js';
import { SqliteSignIn } from './sign-in/sqlite-sign-in.js';

export interface DeskOptions {
  readonly opened: OpenBooks;
  readonly config: DeskConfig;
  /** Closed with the desk. */
  readonly mailer: Mailer;
  readonly clock: Clock;
  /** Where the dashboard is, without a trailing slash. */
  readonly publicUrl: string;
  /** Told of what went wrong behind the pages, and for which account; empty where it is all of them. */
  readonly troubled: (account: string, cause: unknown) => void;
}

/** Opens the desk of a data directory. */
export async function openDesk(options: DeskOptions): Promise<Desk> {
  const { opened, config, mailer, clock, publicUrl, troubled } = options;
  const { books, holders, digest, accounts } = opened;
  const { emailAllow } = config;
  const alerts = new SqliteAlerts(books);
  const watch = new BalanceWatch({ alerts, mailer, clock, publicUrl, troubled });
  const provider = new HandProvider(config.paymentText);
  const payments = new SqlitePayments({ books, holders, clock, config, provider });
  return {
    accounts,
    signIn: new SqliteSignIn({ books, holders, digest, mailer, clock, publicUrl, emailAllow }),
    admin: new SqliteAdminSignIn(books, clock),
    payments,
    alerts,
    deleteAccount: (account) => accounts.delete(account),
    start: () => watch.start(),
    async stop() {
      await watch.stop();
      await mailer.close();
    },
  };
}
