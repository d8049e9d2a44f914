import { defineEndpoint } from '../../endpoint.js';
import { complete } from '../../read/complete.js';
import { idOrNull, textOrNull } from '../../read/convert.js';
import type { Page } from '../../web/page-source.js';
import { postCountFromEmbed } from './embed.js';
import { GuestSession } from './guest-session.js';
import { profileOfHead } from './head-answer.js';
import { sourceOfAccount } from './item-sources.js';
import { type PhotosocialProfile, photosocialProfile } from './objects.js';
import type { Missing } from './outcome.js';
import { find, type Source } from './page-data.js';
import { postCountOf } from './page-meta.js';
import { profileObject } from './profile-object.js';
import { profileSubject, type RawProfile } from './profile-shapes.js';
import { usernameIn } from './share-link.js';
import { site } from './site.js';
import { fromSources } from './sources.js';
import { accountOf, accountParams, isProfileAt, profileEmbedUrl, profileUrl } from './urls.js';

export const missingProfile = (username: string): Missing => ({
  code: 'profile_not_found',
  message: `The account ${username} does not exist or was removed.`,
  isAt: (address) => isProfileAt(address, username),
  isTitle: (title) => title.toLowerCase().includes(`(@${username})`),
});

/** True for the profile of that handle. */
export const isAccount = (username: string) => (raw: RawProfile) =>
  textOrNull(raw.username)?.toLowerCase() === username;

interface ProfileWithId {
  readonly profile: PhotosocialProfile;
  readonly id: string | null;
}

/** Page or document → profile, which must be the one that was asked for, and the id for further questions. */
export function readProfile(page: Page, source: Source, username: string): ProfileWithId {
  const raw = find(page, source, profileSubject, missingProfile(username), isAccount(username));
  const profile = profileObject(raw);
  const count = profile.media_count ?? (source === 'page' ? postCountOf(page, username) : null);
  return { profile: { ...profile, media_count: count }, id: idOrNull(raw.id) };
}

/** The count of posts from the embed page, and the business fields from the document that has them. */
async function completeProfile(guest: GuestSession, username: string, { profile, id }: ProfileWithId) {
  const counted = await complete(
    [profile],
    (lacking) => lacking.media_count === null,
    async (lacking) => {
      const page = await guest.page(profileEmbedUrl(username));
      return { ...lacking, media_count: postCountFromEmbed(page, username, missingProfile(username)) };
    },
  );
  const detailed = await complete(
    counted.items,
    (lacking) => lacking.is_business_account === null && id !== null,
    async (lacking) => {
      const page = await guest.document('profileDetails', { id }, profileUrl(username));
      const { profile: details } = readProfile(page, 'document', username);
      return {
        ...lacking,
        media_count: lacking.media_count ?? details.media_count,
        is_business_account: details.is_business_account,
        category: lacking.category ?? details.category,
        contact_buttons: lacking.contact_buttons ?? details.contact_buttons,
      };
    },
  );
  // Logged-out visitors are hardly ever given the business fields: without them the answer is no thinner.
  return { data: detailed.items[0] ?? profile, brief: !counted.whole };
}

/** GET /photosocial/profile */
export const profile = defineEndpoint({
  path: 'photosocial/profile',
  operation: 'get_photosocial_profile',
  summary: 'Instagram profile: name, bio, links, exact counts, verified, private, category',
  description:
    'Reads the public profile page. followers_count and follows_count are exact; media_count is null unless the page or the embed page gives the exact number. Whether it is a business account, its category and its contact buttons are rarely shown to logged-out visitors, and are null otherwise. A private account still has a profile. If the platform withholds the data but the head of the page still describes the account, the answer is brief: name, bio and counts as given there, rounded from 10,000 on, and bio_links is null. Such an answer is cached for minutes only.',
  credits: 3,
  cacheSeconds: 43_200,
  site,
  params: accountParams,
  exactlyOne: ['username', 'url'],
  returns: photosocialProfile,
  many: false,
  identify: accountOf,
  async read({ identity, session, overrides = null }) {
    const guest = new GuestSession(session, overrides);
    const username = await usernameIn(guest, identity);
    const from = profileUrl(username);
    const { answer: found, brief } = await fromSources<ProfileWithId>(
      [
        async () => readProfile(await guest.page(from), 'page', username),
        async () => readProfile(await guest.document('profile', { username }, from), 'document', username),
      ],
      (head) => {
        const described = profileOfHead(head, username);
        return described && { profile: described, id: null };
      },
    );
    const sources = [sourceOfAccount(found.id, username)];
    if (brief) return { data: found.profile, sources, brief };
    return { ...(await completeProfile(guest, username, found)), sources };
  },
});
