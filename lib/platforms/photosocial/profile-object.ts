import { boolOrNull, countOrNull, intOrNull, textOrNull, urlOrNull } from '../../read/convert.js';
import { at } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { PhotosocialProfile } from './objects.js';
import type { RawContact, RawProfile } from './profile-shapes.js';

const firstText = (values: readonly unknown[]) =>
  values.map(textOrNull).find((text) => text !== null) ?? null;

/** Returns a link's target; as a last resort, parameter `u` of the platform's redirector. */
function linkUrl(link: unknown): string | null {
  const direct = urlOrNull(at(link, 'url'));
  if (direct !== null) return direct;
  const redirector = urlOrNull(at(link, 'lynx_url'));
  return redirector === null ? null : urlOrNull(new URL(redirector).searchParams.get('u'));
}

/**
 * Returns the links of the bio. Accounts before 2022 have one, without a title. A source with neither form says that
 * there are none; one whose links have no target uses an unknown field name.
 */
function bioLinks({ bioLinks: list, externalUrl }: RawProfile): PhotosocialProfile['bio_links'] {
  if (!Array.isArray(list) && externalUrl === undefined) return null;
  const links = (Array.isArray(list) ? list : []).flatMap((link: unknown) => {
    const url = linkUrl(link);
    return url === null ? [] : [{ title: textOrNull(at(link, 'title')), url }];
  });
  const single = urlOrNull(externalUrl);
  if (links.length === 0 && single === null && Array.isArray(list) && list.length > 0) return null;
  return links.length > 0 || single === null ? links : [{ title: null, url: single }];
}

function contactButtons(contact: RawContact | undefined): PhotosocialProfile['contact_buttons'] {
  if (contact?.isShown !== true) return null;
  const email = textOrNull(contact.email);
  const phone = textOrNull(contact.phone);
  const address = contact.address.map(textOrNull).filter((line) => line !== null);
  // A letter cannot be sent to an address with an unknown line.
  const isComplete = contact.address.every((line) => line !== undefined);
  return [
    ...(email === null ? [] : [{ type: 'email', value: email }]),
    ...(phone === null ? [] : [{ type: contact.phoneMethod === 'TEXT' ? 'text' : 'call', value: phone }]),
    ...(address.length === 0 ? [] : [{ type: 'directions', value: isComplete ? address.join(', ') : null }]),
  ];
}

/** Throws `platform_changed` if the account has no name. */
export function profileObject(raw: RawProfile): PhotosocialProfile {
  const accountType = intOrNull(raw.accountType);
  return {
    username: requireValue(textOrNull(raw.username), 'a username').toLowerCase(),
    name: textOrNull(raw.name),
    biography: textOrNull(raw.biography),
    bio_links: bioLinks(raw),
    followers_count: countOrNull(raw.followers),
    follows_count: countOrNull(raw.follows),
    media_count: countOrNull(raw.posts),
    is_verified: boolOrNull(raw.verified),
    is_private: boolOrNull(raw.private),
    is_business_account: accountType === null ? boolOrNull(raw.business) : accountType === 2,
    category:
      raw.showsCategory === true || raw.showsCategory === undefined ? firstText(raw.categories ?? []) : null,
    contact_buttons: contactButtons(raw.contact),
  };
}
