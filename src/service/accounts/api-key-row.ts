import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { RowOf } from '../../../lib/database/columns.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Platform } from '../../../lib/platforms.js';
import { isoOrNull, isoTime } from '../../../lib/read/iso-time.js';
import { chargedKey } from '../usage/key-spend.js';
import type { ApiKey } from './account-objects.js';
import { type KeyOwner, maxKeyNameLength, maxMonthlyCredits, type NewKey } from './accounts.js';
import type { keyColumns } from './accounts-schema.js';

/** A key as stored, with its last use. Times are milliseconds since 1970. */
export interface ApiKeyRow extends RowOf<typeof keyColumns> {
  readonly used_at: number | null;
}

/** A key with its account, as found by its digest. */
export interface StoredKeyRow extends RowOf<typeof keyColumns> {
  readonly email: string;
  readonly verified_at: number | null;
  /** When the account was created. */
  readonly since: number;
}

/** A key in memory. */
export interface CachedKey {
  readonly digest: Buffer;
  readonly owner: KeyOwner;
  readonly expiresAt: number | null;
}

/** Maximum keys in memory; others are looked up again. */
export const maxCachedKeys = 10_000;

const nameForm = z.string().trim().min(1).max(maxKeyNameLength);
const platformsOf = (text: string | null) => (text === null ? null : (JSON.parse(text) as Platform[]));

/** Returns the key of a row in displayable form. */
export function toApiKey({ digest, used_at, ...row }: ApiKeyRow): ApiKey {
  return {
    ...row,
    platforms: platformsOf(row.platforms),
    created_at: isoTime(row.created_at),
    revoked_at: isoOrNull(row.revoked_at),
    expires_at: isoOrNull(row.expires_at),
    last_used_at: isoOrNull(used_at),
  };
}

/** Returns the owner of a key. Throws `revoked_api_key` for a revoked key. */
function toKeyOwner(row: StoredKeyRow): KeyOwner {
  if (row.revoked_at !== null) throw new ExtractError('revoked_api_key');
  return {
    account: row.account,
    email: row.email,
    verified: row.verified_at !== null,
    key: chargedKey(row),
    platforms: platformsOf(row.platforms),
    expires_at: isoOrNull(row.expires_at),
    since: isoTime(row.since),
  };
}

/** Returns the row found by a digest. Throws `invalid_api_key` if there is none. */
export function checkFound<Row extends StoredKeyRow>(row: Row | undefined, digest: Buffer): Row {
  if (row === undefined || !timingSafeEqual(row.digest, digest)) throw new ExtractError('invalid_api_key');
  return row;
}

/** Returns the key of a row, for memory. Throws `revoked_api_key` for a revoked key. */
export function toCachedKey(row: StoredKeyRow): CachedKey {
  return { digest: row.digest, owner: toKeyOwner(row), expiresAt: row.expires_at };
}

/** Returns the name of a new key, trimmed. Throws `invalid_parameter` for an invalid name, expiry or limit. */
export function checkNewKey({ name, expiresAt, monthlyCredits = null }: NewKey, now: number): string {
  const { success, data } = nameForm.safeParse(name);
  if (!success) {
    throw new ExtractError(
      'invalid_parameter',
      `The name of a key must be a string of 1 to ${maxKeyNameLength} characters.`,
    );
  }
  if (expiresAt !== undefined && !(expiresAt > now)) {
    throw new ExtractError('invalid_parameter', 'A key must expire in the future.');
  }
  checkKeyLimit(monthlyCredits);
  return data;
}

/** Throws `invalid_parameter` for anything that is not a monthly credit limit. */
export function checkKeyLimit(credits: number | null): void {
  if (credits === null) return;
  if (Number.isSafeInteger(credits) && credits >= 0 && credits <= maxMonthlyCredits) return;
  throw new ExtractError(
    'invalid_parameter',
    `A key's monthly limit must be a whole number of credits from 0 to ${maxMonthlyCredits}.`,
  );
}

/** Returns the platforms of a new key, as stored in its row. */
export function platformsText({ platforms }: Pick<NewKey, 'platforms'>): string | null {
  return platforms === null ? null : JSON.stringify([...new Set(platforms)]);
}

/** The error for an expired key. */
export function expiredKey(at: number): ExtractError {
  return new ExtractError('revoked_api_key', `The API key expired on ${isoTime(at)}. Make a new one.`);
}

/** The error for a secret that does not have the form of one. */
export function misspeltKey(): ExtractError {
  return new ExtractError('invalid_api_key', 'This API key looks truncated or mistyped.');
}
