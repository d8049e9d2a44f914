import type { ChargedKey } from '../../../lib/ledger/key-limit.js';
import type { Platform } from '../../../lib/platforms.js';
import type { ApiKey } from './account-objects.js';

/** Maximum active keys of an account. */
export const maxActiveKeys = 10;
/** Maximum revoked and expired keys of an account that are remembered. Older ones count as unknown. */
export const maxEndedKeys = 100;
/** Maximum characters of a key's name. */
export const maxKeyNameLength = 100;
/** Highest monthly credit limit. */
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

/** Returns true for a key that is usable at `now`: neither revoked nor expired. */
export function isActive({ revoked_at, expires_at }: ApiKey, now: number): boolean {
  return revoked_at === null && (expires_at === null || Date.parse(expires_at) > now);
}

export interface NewAccount {
  readonly email: string;
  /** True if the address is known to belong to its owner: the trial credits are granted immediately. */
  readonly verified: boolean;
  /** Credits of a first pack; 0 for none. */
  readonly credits: number;
}

export interface NewKey {
  readonly account: string;
  readonly name: string;
  readonly platforms: readonly Platform[] | null;
  /** When it expires, in milliseconds since 1970. Undefined for a key that does not expire. */
  readonly expiresAt?: number | undefined;
  /** Credits it may spend in a calendar month (UTC). Null or undefined for no limit. */
  readonly monthlyCredits?: number | null | undefined;
}

/** The account of an API key, and what the key may do. */
export interface KeyOwner {
  readonly account: string;
  readonly email: string;
  readonly verified: boolean;
  /** As the usage ledger names and limits it. */
  readonly key: ChargedKey;
  readonly platforms: readonly Platform[] | null;
  /** ISO 8601 UTC; when the key expires, null for one that does not. */
  readonly expires_at: string | null;
  /** ISO 8601 UTC; when the account was created. */
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
  /** Creates an account. Rejects `invalid_parameter` for an invalid address or one that already has an account. */
  create(account: NewAccount): Promise<Account>;
  /** Returns the account of an address, or null. */
  find(email: string): Promise<Account | null>;
  /** Returns the account of an id, or null. */
  get(id: string): Promise<Account | null>;
  /** Returns every account, oldest first. */
  list(): Promise<readonly Account[]>;
  /** Returns accounts whose address contains a text, newest first, before the account of that id. */
  listPage(search: string, limit: number, before: string | undefined): Promise<AccountPage>;
  /** Returns the number of accounts. */
  count(): Promise<number>;
  /** Confirms the address. The first time, it grants the trial credits; after that it changes nothing. */
  verify(account: string): Promise<Account>;
  /**
   * Deletes an account in one transaction: cancels its jobs and open orders, ends its sessions and keys, and forfeits
   * its credits. Its address can be used again, without a second trial. The rows of the ledger stay, under the id
   * alone. Rejects `invalid_parameter` if there is no such account.
   */
  delete(account: string): Promise<void>;
  /** Creates a key. The secret is in this result and nowhere else. Rejects `key_limit_reached`, `invalid_parameter`. */
  createKey(key: NewKey): Promise<{ readonly key: ApiKey; readonly secret: string }>;
  /** Returns the keys of an account, or all keys, oldest first, including revoked ones. */
  listKeys(account?: string): Promise<readonly ApiKey[]>;
  /**
   * Revokes a key, which then fails, on other machines within a second. A revoked one is not changed. Null if there is
   * no such key (of this account, if one is passed).
   */
  revokeKey(id: string, account?: string): Promise<ApiKey | null>;
  /**
   * Sets what a key may spend in a calendar month; null removes the limit. It applies from the next charge on, on other
   * machines within a second. Null if there is no such key (of this account, if one is passed). Rejects
   * `invalid_parameter`.
   */
  limitKey(id: string, monthlyCredits: number | null, account?: string): Promise<ApiKey | null>;
  /**
   * Returns the owner of a key's secret. Rejects `invalid_api_key`, or `revoked_api_key`, also for one that has
   * expired.
   */
  authenticate(secret: string): Promise<KeyOwner>;
}
