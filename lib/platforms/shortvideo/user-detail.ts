import { ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
import { intOrNull, textOrNull } from '../../read/convert.js';
import { anywhere, at } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { refuseByCode } from './outcome.js';
import { scopeOf } from './scope.js';
import { type TwinCount, twinCount } from './twin-counts.js';

/** The account on a profile page, checked to be the requested one. */
interface UserDetail {
  /** The account's own spelling. */
  readonly handle: string;
  /** `userInfo` of the page. */
  readonly info: unknown;
  readonly isPrivate: boolean;
}

/** Fields next to the account: the code, and texts for sharing the page. */
const otherKeys: ReadonlySet<string> = new Set([
  'statusCode',
  'statusMsg',
  'needFix',
  'shareMeta',
  'extra_info',
]);

const saysSomething = (value: unknown) =>
  typeof value === 'string' ? value !== '' : typeof value === 'number';

/** An empty scope, as a missing account has: the second witness of its code. */
const holdsNothing = (detail: unknown) =>
  !Object.entries(detail ?? {}).some(([key, value]) => !otherKeys.has(key) && anywhere(value, saysSomething));

/** The page's code for a private account: the profile is public, only the videos are not. */
const privateCode = 10222;

/**
 * Reads the account on a profile page: `webapp.user-detail`, 2026-09, or `userDetail` of the script `api-data` on
 * mobile pages, 2026. Throws `profile_not_found` and every refusal that the page may be.
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

/** Returns a count of `userInfo`: `statsV2` has it exact, as a string, `stats` as displayed. */
export const userCount = (info: unknown, ...keys: readonly string[]): TwinCount | null =>
  twinCount(
    keys.map((key) => at(info, 'statsV2', key)),
    keys.toReversed().map((key) => at(info, 'stats', key)),
  );

/** The error for a private account, as its own pages report it. */
export const privateAccount = (username: string) =>
  new ExtractError('account_private', `The account ${username} is private.`);

/** Returns the number of videos on a profile page. Throws `account_private`, and what the page is instead. */
export function countOfVideos(page: Page, username: string): number | null {
  const { info, isPrivate } = userDetail(page, username);
  if (isPrivate) throw privateAccount(username);
  return userCount(info, 'videoCount')?.count ?? null;
}

/** The error for an account whose videos are counted but not listed. */
export const unlisted = (username: string, total: number | null) =>
  new ExtractError(
    'platform_restricted',
    `The account ${username} has ${total ?? 'an unknown number of'} videos, and the platform lists none of them to visitors who are not signed in.`,
  );
