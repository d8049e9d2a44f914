import { isEmpty } from '../../../read/refusal.js';
import type { Route } from '../../../routes/route.js';
import type { GuestSession } from '../guest-session.js';
import { missingPost, missingProfile } from '../missing.js';
import { type Missing, refuseDocument, refusePage } from '../outcome.js';
import { bodyOf } from '../page-data.js';
import type { Account, Post } from '../subject.js';
import { oembedUrl, postUrl, profileUrl } from '../urls.js';

/** Returns if the platform would embed the page. Throws not found if its data says that there is none. */
async function witness(guest: GuestSession, page: string, missing: Missing): Promise<void> {
  const answer = await guest.page(oembedUrl(page));
  const body = bodyOf(answer);
  // A page with such a status means that the address has been removed.
  refusePage(answer, body, missing, body.kind === 'json' || isEmpty(answer) ? [400, 404] : []);
  refuseDocument(answer, body);
}

const oembed = {
  name: 'oembed',
  reads: 'Whether other sites can embed it: a witness that it exists.',
  surface: 'embed',
  seen: { month: '2026-09', from: ['home'] },
  missing: 'witness',
} as const;

export const profileOembed: Route<Account, void> = {
  ...oembed,
  read: ({ identity: { guest, username } }) => witness(guest, profileUrl(username), missingProfile(username)),
};

export const postOembed: Route<Post, void> = {
  ...oembed,
  read: ({ identity: { guest, shortcode } }) => witness(guest, postUrl(shortcode), missingPost(shortcode)),
};
