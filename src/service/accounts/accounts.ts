import type { ChargedKey } from '../../../lib/ledger/key-limit.js';
import type { Platform } from '../../../lib/platforms.js';
import type { ApiKey } from './account-objects.js';

export const maxActiveKeys = 10;
/** Maximum revoked and expired keys of an account that are remembered. Older ones count as unknown. */
export const maxEndedKeys = 100;
/** Maximum characters of a key's name. */
export const maxKeyNameLength = 100;
/** Highest monthly credit limit. */
export const maxMonthlyCredits = 1_000_000_000;

/** One account: one e-mail address, one balance, up to ten active keys. */
export interface Account {
  /** `acct_…`, also the id in the ledger. */
  readonly id: string;
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
  /** True if the address is known to belong to its owner, so that trial credits are granted immediately. */
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

export interface KeyOwner {
  readonly account: string;
  readonly email: string;
  readonly verified: boolean;
  /** The key as the ledger names and limits it. */
  readonly key: ChargedKey;
  readonly platforms: readonly Platform[] | null;
  /** When the key expires, ISO 8601 UTC; null if it does not. */
  readonly expires_at: string | null;
  /** When the account was created, ISO 8601 UTC. */
  readonly since: string;
}

export interface AccountPage {
  readonly accounts: readonly Account[];
  /** The id before which the next page starts; null on the last page. */
  readonly next: string | null;
}
