import { ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
import { intOrNull, textOrNull } from '../../read/convert.js';
import { anywhere, at } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { refuseByCode } from './outcome.js';
import { scopeOf } from './scope.js';
import { type TwinCount, twinCount } from './twin-counts.js';

/** The account of a profile page, checked to be the one asked for. */
interface UserDetail {
  /** Handle in the account's own spelling. */
  readonly handle: string;
  /** `userInfo` of the page. */
  readonly info: unknown;
  readonly isPrivate: boolean;
}

/** The data beside the account: the code, and words for people who share the page. */
const besideAccount: ReadonlySet<string> = new Set([
  'statusCode',
  'statusMsg',
  'needFix',
  'shareMeta',
  'extra_info',
]);

const saysSomething = (value: unknown) =>
  typeof value === 'string' ? value !== '' : typeof value === 'number';

/** True where a scope holds nothing, as that of an account which is missing: the second witness of its code. */
const holdsNothing = (detail: unknown) =>
  !Object.entries(detail ?? {}).some(
    ([key, value]) => !besideAccount.has(key) && anywhere(value, saysSomething),
  );

/** The page's code for a private account: the profile is there, and only the videos are closed. */
const privateCode = 10222;

/**
 * Profile page → its account. Source: `webapp.user-detail`, 2026-09, or `userDetail` of the script `api-data` on pages
 * for phones, 2026. Throws `profile_not_found` and every refusal that the page may be.
 */
export function userDetail(page: Page, username: string): UserDetail {
  const detail = scopeOf(page, { scopes: ['webapp.user-detail'], apiData: 'userDetail' });
  const info = at(detail, 'userInfo');
  const code = intOrNull(at(detail, 'statusCode'));
  const handle = textOrNull(at(info, 'user', 'uniqueId'));
  if (handle === null && !holdsNothing(detail)) requireValue(handle, 'a username');
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

/** A count of `userInfo`: `statsV2` holds it exact, as text, `stats` as the page shows it. */
export const userCount = (info: unknown, ...keys: readonly string[]): TwinCount | null =>
  twinCount(
    keys.map((key) => at(info, 'statsV2', key)),
    keys.toReversed().map((key) => at(info, 'stats', key)),
  );

/** The error of a private account, as its pages say themselves. */
export const privateAccount = (username: string) =>
  new ExtractError('account_private', `The account ${username} is private.`);

/** Profile page → the videos that it counts. Throws `account_private`, and what the page is instead. */
export function countOfVideos(page: Page, username: string): number | null {
  const { info, isPrivate } = userDetail(page, username);
  if (isPrivate) throw privateAccount(username);
  return userCount(info, 'videoCount')?.count ?? null;
}

/** The error of an account whose videos are counted and not listed. */
export const unlisted = (username: string, total: number | null) =>
  new ExtractError(
    'platform_restricted',
    `The account ${username} has ${total ?? 'an unknown number of'} videos, and the platform lists none of them to visitors who are not signed in.`,
  );
