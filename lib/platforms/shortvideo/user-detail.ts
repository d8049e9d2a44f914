import { ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
import { countOrNull, intOrNull, textOrNull } from '../../read/convert.js';
import { at } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { refuseByCode } from './outcome.js';
import { scopeOf } from './scope.js';

/** The account of a profile page, checked to be the one asked for. */
interface UserDetail {
  /** Handle in the account's own spelling. */
  readonly handle: string;
  /** `userInfo` of the page. */
  readonly info: unknown;
  readonly isPrivate: boolean;
}

/** The page's code for a private account: the profile is there, and only the videos are closed. */
const privateCode = 10222;

/**
 * Profile page → its account. Source: `webapp.user-detail`, 2026-09. Throws `profile_not_found` and every
 * refusal that the page may be.
 */
export function userDetail(page: Page, username: string): UserDetail {
  const detail = scopeOf(page, 'webapp.user-detail');
  const info = at(detail, 'userInfo');
  const code = intOrNull(at(detail, 'statusCode'));
  const handle = textOrNull(at(info, 'user', 'uniqueId'));
  if (handle === null || code !== privateCode) {
    refuseByCode(
      handle === null ? requireValue(code, 'a status code') : (code ?? 0),
      'profile_not_found',
      `The account ${username} does not exist or is banned.`,
    );
  }
  const ownHandle = requireValue(handle, 'a username');
  if (ownHandle.toLowerCase() !== username) {
    throw new ExtractError('platform_changed', `The page is about ${ownHandle}, not about ${username}.`);
  }
  const facts = [
    at(info, 'user', 'nickname'),
    at(info, 'user', 'signature'),
    at(info, 'stats'),
    at(info, 'statsV2'),
  ];
  if (facts.every((value) => value === undefined || value === null)) {
    throw refusal(
      'subject_without_data',
      'The platform served the name of the account and withheld the rest.',
    );
  }
  return {
    handle: ownHandle,
    info,
    isPrivate: code === privateCode || at(info, 'user', 'privateAccount') === true,
  };
}

/** First value that is a count, in order of exactness. */
export function firstCount(...values: readonly unknown[]): number | null {
  for (const value of values) {
    const count = countOrNull(value);
    if (count !== null) return count;
  }
  return null;
}

/** A count of `userInfo`: `statsV2` holds it exact, as text, `stats` rounded to what the page shows. */
export function userCount(info: unknown, key: string): number | null {
  return firstCount(at(info, 'statsV2', key), at(info, 'stats', key));
}
