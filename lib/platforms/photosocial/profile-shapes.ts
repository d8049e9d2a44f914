import { idOrNull, textOrNull } from '../../read/convert.js';
import { at, parseJson } from '../../read/json.js';
import type { Subject } from './page-data.js';
import { saidOf } from './raw-list.js';

export interface RawContact {
  readonly isShown: unknown;
  readonly email: unknown;
  readonly phone: unknown;
  /** CALL or TEXT, if the account chose one. */
  readonly phoneMethod: unknown;
  /** Lines of the address, in writing order. */
  readonly address: readonly unknown[];
}

/** A profile of any shape, unconverted, with what the shape has. */
export interface RawProfile {
  readonly id?: unknown;
  readonly username: unknown;
  readonly name: unknown;
  readonly biography?: unknown;
  readonly bioLinks?: unknown;
  readonly externalUrl?: unknown;
  readonly followers: unknown;
  readonly follows?: unknown;
  readonly posts: unknown;
  readonly verified?: unknown;
  readonly private?: unknown;
  readonly business?: unknown;
  /** 1 personal, 2 business, 3 creator. */
  readonly accountType?: unknown;
  readonly categories?: readonly unknown[];
  /** `unsaid` if the shape has it but this account does not. */
  readonly showsCategory?: unknown;
  readonly contact?: RawContact;
}

/** What all shapes have under the same names. */
const commonFields = (user: unknown) => ({
  username: at(user, 'username'),
  name: at(user, 'full_name'),
  biography: at(user, 'biography'),
  bioLinks: at(user, 'bio_links'),
  verified: at(user, 'is_verified'),
  private: at(user, 'is_private'),
});

/** Shape P: what logged-out visitors receive since mid-2026. */
export function polarisProfile(user: unknown): RawProfile {
  return {
    // `id` is the account's ID on another platform of the company.
    id: at(user, 'pk'),
    ...commonFields(user),
    followers: at(user, 'follower_count'),
    follows: at(user, 'following_count'),
    posts: at(user, 'all_media_count'),
  };
}

/** Returns an account's number with its country code, empty if the number is complete. */
function publicNumber(user: unknown): string | null {
  const number = idOrNull(at(user, 'public_phone_number'));
  const country = at(user, 'public_phone_country_code');
  const code = idOrNull(country);
  if (number === null || code !== null) return number && `+${code} ${number}`;
  // Without the code, the country is unknown.
  return country === '' || country === null ? number : null;
}

const isBlank = (value: unknown) =>
  value === 0 || value === '' || (Array.isArray(value) && value.length === 0);

/** Shape V1: the app's items. An age-restricted account has `gating`, and 0 and "" for what it withholds (2020-01). */
export function itemProfile(user: unknown): RawProfile {
  const isGated = (at(user, 'gating') ?? null) !== null;
  const shownCount = (key: string) => {
    const value = at(user, key);
    return isGated && isBlank(value) ? undefined : value;
  };
  return {
    id: at(user, 'pk') ?? at(user, 'id'),
    ...commonFields(user),
    bioLinks: shownCount('bio_links'),
    externalUrl: shownCount('external_url'),
    followers: shownCount('follower_count'),
    follows: shownCount('following_count'),
    posts: shownCount('media_count'),
    // `is_business` contradicts the type in half of the captures (2021 to 2026-09).
    accountType: at(user, 'account_type'),
    categories: [at(user, 'category'), at(user, 'category_name')],
    showsCategory: saidOf(user, 'should_show_category'),
    contact: {
      isShown: at(user, 'should_show_public_contacts'),
      email: at(user, 'public_email'),
      phone: textOrNull(at(user, 'contact_phone_number')) ?? publicNumber(user),
      phoneMethod: at(user, 'business_contact_method'),
      address: [at(user, 'address_street'), at(user, 'zip'), at(user, 'city_name')],
    },
  };
}

/** An address is JSON in a string. */
function addressOf(json: unknown): unknown[] {
  if (typeof json !== 'string' || !json.startsWith('{')) return [];
  const address = parseJson(json, 'The address of the account');
  return [at(address, 'street_address'), at(address, 'zip_code'), at(address, 'city_name')];
}

/** Shape L: objects joined by `edge_…`. */
function legacyProfile(user: unknown): RawProfile {
  return {
    id: at(user, 'id'),
    ...commonFields(user),
    externalUrl: at(user, 'external_url'),
    followers: at(user, 'edge_followed_by', 'count'),
    follows: at(user, 'edge_follow', 'count'),
    posts: at(user, 'edge_owner_to_timeline_media', 'count'),
    business: at(user, 'is_business_account'),
    categories: [
      at(user, 'category_name'),
      at(user, 'business_category_name'),
      at(user, 'overall_category_name'),
    ],
    showsCategory: saidOf(user, 'should_show_category'),
    contact: {
      isShown: at(user, 'should_show_public_contacts'),
      email: at(user, 'business_email'),
      phone: at(user, 'business_phone_number'),
      phoneMethod: at(user, 'business_contact_method'),
      address: addressOf(at(user, 'business_address_json')),
    },
  };
}

const owns = (value: unknown, keys: readonly string[]) => keys.some((key) => at(value, key) !== undefined);

const profileSigns = ['username', 'full_name', 'biography', 'follower_count', 'is_private'];
const legacySigns = ['edge_followed_by', 'edge_follow', 'edge_owner_to_timeline_media'];

/** Finds a profile. Profile pages have a second object of the same name with only the timeline. */
export const profileSubject: Subject<RawProfile> = {
  hint: 'follower_count',
  nameOf: (profile) => profile.username,
  roots: [
    ['xig_user_by_username', (user) => (owns(user, profileSigns) ? polarisProfile(user) : undefined)],
    [
      'user',
      (user) => {
        if (owns(user, legacySigns)) return legacyProfile(user);
        return owns(user, profileSigns) ? itemProfile(user) : undefined;
      },
    ],
  ],
};
