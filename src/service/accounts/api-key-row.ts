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

export interface ApiKeyRow extends RowOf<typeof keyColumns> {
  readonly used_at: number | null;
}

export interface StoredKeyRow extends RowOf<typeof keyColumns> {
  readonly email: string;
  readonly verified_at: number | null;
  readonly since: number;
}

export interface CachedKey {
  readonly digest: Buffer;
  readonly owner: KeyOwner;
  readonly expiresAt: number | null;
}

/** Maximum keys in memory. */
export const maxCachedKeys = 10_000;

const nameForm = z.string().trim().min(1).max(maxKeyNameLength);
const platformsOf = (text: string | null) => (text === null ? null : (JSON.parse(text) as Platform[]));

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

export function toCachedKey(row: StoredKeyRow): CachedKey {
  return { digest: row.digest, owner: toKeyOwner(row), expiresAt: row.expires_at };
}

/** Returns the trimmed name of a new key. Throws `invalid_parameter` for an invalid name, expiry or limit. */
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

/** Throws `invalid_parameter` for an invalid monthly limit. */
export function checkKeyLimit(credits: number | null): void {
  if (credits === null) return;
  if (Number.isSafeInteger(credits) && credits >= 0 && credits <= maxMonthlyCredits) return;
  throw new ExtractError(
    'invalid_parameter',
    `A key's monthly limit must be a whole number of credits from 0 to ${maxMonthlyCredits}.`,
  );
}

export function platformsText({ platforms }: Pick<NewKey, 'platforms'>): string | null {
  return platforms === null ? null : JSON.stringify([...new Set(platforms)]);
}

export function expiredKey(at: number): ExtractError {
  return new ExtractError('revoked_api_key', `The API key expired on ${isoTime(at)}. Create a new one.`);
}

export function misspeltKey(): ExtractError {
  return new ExtractError('invalid_api_key', 'This API key looks truncated or mistyped.');
}
