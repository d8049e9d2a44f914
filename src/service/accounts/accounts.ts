import type { ChargedKey } from '../../../lib/ledger/key-limit.js';
import type { Platform } from '../../../lib/platforms.js';
import type { ApiKey } from './account-objects.js';

/** Active keys of an account at most. */
export const maxActiveKeys = 10;
/** Revoked and expired keys of an account that are remembered: the newest. Older ones are unknown keys. */
export const maxEndedKeys = 100;
/** Characters of a key's name at most. */
export const maxKeyNameLength = 100;
/** Largest limit of credits a month. */
export const maxMonthlyCredits = 1_000_000_000;

/** One account: one e-mail address, one balance, up to ten active keys. */
export interface Account {
  /** `acct_…`, also its id in the ledger. */
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly verified: boolean;
  /** ISO 8601 UTC. */
  readonly created_at: string;
  readonly credits: number;
  /** True once a pack was bought. */
  readonly bought: boolean;
}

/** True for a key that can call at `now`: neither revoked nor expired. */
export function isActive({ revoked_at, expires_at }: ApiKey, now: number): boolean {
  return revoked_at === null && (expires_at === null || Date.parse(expires_at) > now);
}

export interface NewAccount {
  readonly email: string;
  /** The address is known to be its owner's: the trial credits are granted at once. */
  readonly verified: boolean;
  /** Credits of a first pack; 0 for none. */
  readonly credits: number;
}

export interface NewKey {
  readonly account: string;
  readonly name: string;
  readonly platforms: readonly Platform[] | null;
  /** Milliseconds since 1970 from which on it fails; left out for a key that does not expire. */
  readonly expiresAt?: number | undefined;
  /** Credits it may spend in a calendar month (UTC); null or left out for no limit. */
  readonly monthlyCredits?: number | null | undefined;
}

/** The account that an API key calls for, and what the key may do. */
export interface KeyOwner {
  readonly account: string;
  readonly email: string;
  readonly verified: boolean;
  /** As the usage ledger names and limits it. */
  readonly key: ChargedKey;
  readonly platforms: readonly Platform[] | null;
  /** ISO 8601 UTC; when the key expires, null for one that does not. */
  readonly expires_at: string | null;
  /** ISO 8601 UTC; when the account was made. */
  readonly since: string;
}

/** A page of accounts. */
export interface AccountPage {
  readonly accounts: readonly Account[];
  /** Id that the next page starts before; null on the last page. */
  readonly next: string | null;
}

/** The port to accounts and keys. Each method that changes something resolves when it is on the disk. */
export interface Accounts {
  /** Makes an account. Rejects `invalid_parameter` for an address that is none or has an account already. */
  create(account: NewAccount): Promise<Account>;
  /** The account of an address, or null. */
  find(email: string): Promise<Account | null>;
  /** The account of an id, or null. */
  get(id: string): Promise<Account | null>;
  /** Every account, oldest first. */
  list(): Promise<readonly Account[]>;
  /** Accounts whose address contains a text, newest first, before the account of that id. */
  listPage(search: string, limit: number, before: string | undefined): Promise<AccountPage>;
  /** How many accounts there are. */
  count(): Promise<number>;
  /** Confirms the address; grants the trial credits the first time, and changes nothing after that. */
  verify(account: string): Promise<Account>;
  /**
   * Deletes an account in one transaction. It cancels its jobs and open orders, ends its sessions and keys, and
   * forfeits its credits. Its address is free again, without a second trial. The rows of the ledger stay, under the id
   * alone. Rejects `invalid_parameter` when there is no such account.
   */
  delete(account: string): Promise<void>;
  /** Makes a key; the secret is in this answer and nowhere else. Rejects `key_limit_reached`, `invalid_parameter`. */
  createKey(key: NewKey): Promise<{ readonly key: ApiKey; readonly secret: string }>;
  /** Keys of an account, or all, oldest first, revoked ones included. */
  listKeys(account?: string): Promise<readonly ApiKey[]>;
  /**
   * Revokes a key: it fails from then on, on other machines within a second. A revoked one stays as it is. Null when there is no such
   * key (of this account, when one is named).
   */
  revokeKey(id: string, account?: string): Promise<ApiKey | null>;
  /**
   * Sets what a key may spend in a calendar month; null lifts the limit. It holds from the next charge on, on other
   * machines within a second. Null when there is no such key (of this account, when one is named). Rejects `invalid_parameter`.
   */
  limitKey(id: string, monthlyCredits: number | null, account?: string): Promise<ApiKey | null>;
  /** The owner of a key's secret. Rejects `invalid_api_key`, and `revoked_api_key` for one that has expired, too. */
  authenticate(secret: string): Promise<KeyOwner>;
}
