import type { UsageQueries } from '../usage/ledger-usage.js';
import type { AccountStore } from './account-store.js';
import type { Account } from './accounts.js';
import type { SignInStore } from './sign-in/sign-in-store.js';

export interface AccountSummary extends Account {
  /** Time of the last call or visit, ISO 8601 UTC; null for an account that was never used. */
  readonly last_used_at: string | null;
}

export interface AccountOverviewOptions {
  readonly accounts: AccountStore;
  readonly signIn: Pick<SignInStore, 'findLastUse'>;
  readonly usage: Pick<UsageQueries, 'findLastCallAt'>;
}

/** All accounts, page by page, for the operator. */
export class AccountOverview {
  readonly #options: AccountOverviewOptions;

  constructor(options: AccountOverviewOptions) {
    this.#options = options;
  }

  count(): Promise<number> {
    return this.#options.accounts.count();
  }

  async find(id: string): Promise<AccountSummary | null> {
    const account = await this.#options.accounts.get(id);
    return account === null ? null : this.#summary(account);
  }

  /**
   * Returns accounts whose address contains a text, newest first, before the account of that id. `next` continues from
   * there.
   */
  async page(search: string, limit: number, before: string | undefined) {
    const { accounts, next } = await this.#options.accounts.listPage(search, limit, before);
    return { accounts: await Promise.all(accounts.map((account) => this.#summary(account))), next };
  }

  async #summary(account: Account): Promise<AccountSummary> {
    const { signIn, usage } = this.#options;
    const times = await Promise.all([usage.findLastCallAt(account.id), signIn.findLastUse(account.id)]);
    // Times in ISO 8601 UTC sort as text.
    const last_used_at =
      times
        .filter((time) => time !== null)
        .toSorted()
        .at(-1) ?? null;
    return { ...account, last_used_at };
  }
}
