import { countOrNull } from '../../../read/convert.js';
import type { ObjectReading, Part, Route, Sighting } from '../../../routes/route.js';
import type { PhotosocialPost, PhotosocialProfile } from '../objects.js';
import { readEmbeddedProfile } from '../profile-answer.js';
import type { Account } from '../subject.js';
import { readEmbeddedPosts } from '../timeline.js';
import { profileEmbedUrl } from '../urls.js';

const open = ({ guest, username }: Account) => guest.page(profileEmbedUrl(username));

const surface = 'embed';
// Unknown for homes: one got a shell by 2026-08.
const sighting: Sighting = { month: '2026-10', from: ['datacentre'] };

/** An account's embed page. It knows nothing of an account that is missing, private, or closed to embedding. */
export const profileEmbed: Route<Account, ObjectReading<PhotosocialProfile>> = {
  name: 'embed',
  reads: 'The page that sites embed for an account: its name and exact counts.',
  surface,
  seen: sighting,
  fills: {
    biography: 'never',
    bio_links: 'some',
    follows_count: 'never',
    is_verified: 'never',
    is_business_account: 'never',
    category: 'some',
    contact_buttons: 'never',
  },
  missing: 'witness',
  async read({ identity }) {
    const profile = readEmbeddedProfile(await open(identity), identity.username);
    if (profile.source.id !== identity.username) identity.number ??= profile.source.id;
    return profile;
  },
};

/** The newest six posts on an account's embed page. */
export const postsEmbed: Route<Account, Part<PhotosocialPost>> = {
  name: 'embed',
  reads: 'The page that sites embed for an account: its newest six posts, with times and counts.',
  surface,
  seen: sighting,
  fills: { media_url: 'some', children: 'some', like_count: 'some', view_count: 'some' },
  missing: 'witness',
  async read({ identity, limit, part }) {
    const all = readEmbeddedPosts(await open(identity), identity.username);
    const from = countOrNull(part) ?? 0;
    const to = from + limit;
    return { ...all, items: all.items.slice(from, to), next: to < all.items.length ? to : null };
  },
};
