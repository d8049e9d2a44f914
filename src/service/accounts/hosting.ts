import type { AuditStore } from '../audit/audit-store.js';
import type { AccountStore } from './account-store.js';
import type { AlertStore } from './alerts/alert-store.js';
import { BalanceWatch } from './alerts/balance-watch.js';
import { type OpenPaymentsOptions, openPayments } from './packs/open-payments.js';
import { hasPrices } from './packs/payments.js';
import type { PurchaseStore } from './packs/purchase-store.js';
import type { AdminSignInStore } from './sign-in/admin-sign-in-store.js';
import type { SignInOptions } from './sign-in/sign-in.js';
import type { SignInStore } from './sign-in/sign-in-store.js';

export interface HostingStore {
  readonly accounts: AccountStore;
  /** The log of the operator's acts, to which these stores append. */
  readonly audit: AuditStore;
  readonly alerts: AlertStore;
  readonly adminSignIn: AdminSignInStore;
  readonly purchases: PurchaseStore;
  createSignIn(options: SignInOptions): SignInStore;
}

export interface HostingOptions
  extends Omit<OpenPaymentsOptions, 'purchases'>,
    Pick<SignInOptions, 'mailer'> {
  readonly store: HostingStore;
  readonly onDelete?: (account: string) => Promise<void>;
  /** Runs after an account and its jobs were deleted, so that their remaining files can be removed. */
  readonly onDeleted?: () => Promise<void>;
}

/** Opens the services of a hosted server. `stop` also closes the mailer. */
export function openHosting(options: HostingOptions) {
  const { store, config, mailer, clock, publicUrl, onError, onDelete, onDeleted } = options;
  const { accounts, alerts, adminSignIn, purchases } = store;
  const { emailAllow } = config;
  const payments = openPayments({ ...options, purchases });
  const sells = hasPrices(payments.packs);
  const watch = new BalanceWatch({ alerts, mailer, clock, publicUrl, sells, onError });
  return {
    accounts,
    signIn: store.createSignIn({ mailer, clock, publicUrl, emailAllow }),
    admin: adminSignIn,
    payments,
    alerts,
    /** Deletes an account as `AccountStore.delete` does, and its jobs and stored mail. */
    async deleteAccount(account: string) {
      await onDelete?.(account);
      const email = (await accounts.get(account))?.email;
      await accounts.delete(account);
      const cleanups = [onDeleted?.(), email === undefined ? undefined : mailer.forget(email)];
      for (const outcome of await Promise.allSettled(cleanups)) {
        if (outcome.status === 'rejected') onError(account, outcome.reason);
      }
    },
    start: () => watch.start(),
    async stop() {
      const stop = watch.stop();
      await mailer.close();
      await stop;
    },
  };
}

/** What people do with their accounts on a hosted server. */
export type Hosting = ReturnType<typeof openHosting>;
