import { defineEndpoint } from '../../endpoint.js';
import { text } from '../../params/vocabulary.js';
import { fillPage, type SourcePage } from '../../read/fill-page.js';
import type { Located } from '../../read/item-source.js';
import type { Json } from '../../read/json.js';
import type { Page } from '../../web/page-source.js';
import { GuestSession } from './guest-session.js';
import { nextOf, postsResult, refuseWithheld, requireCursor } from './listing.js';
import { type PhotosocialPost, photosocialPost } from './objects.js';
import { type Missing, outdatedDocument } from './outcome.js';
import { find, type Source } from './page-data.js';
import { hashtagSubject, isListOfTag } from './post-lists.js';
import { locatedPost } from './post-object.js';
import { emptyProofOf } from './raw-list.js';
import { site } from './site.js';
import { fromSources } from './sources.js';
import { isTagAt, normalTag, tagUrl } from './urls.js';

const missingTag = (tag: string): Missing => ({
  code: 'hashtag_not_found',
  message: `The platform has no page for #${tag}.`,
  isAt: (address) => isTagAt(address, tag),
});

/** Page or document → the posts it shows for the tag. The current shape has an empty list for an unused tag. */
function readHashtag(
  page: Page,
  source: Source,
  tag: string,
  missing = missingTag(tag),
): SourcePage<Located<PhotosocialPost>> {
  const list = find(page, source, hashtagSubject, missing, (found) => isListOfTag(found, tag));
  if (list.shape !== 'P') refuseWithheld(list, 'the posts');
  // The older shapes go on for signed-in visitors alone (since 2022): what is given here ends with the first part.
  const next = list.shape === 'P' ? nextOf(list) : null;
  return { items: list.items.map(locatedPost), next, emptyProof: emptyProofOf(list) };
}

async function fetchFromDocument(
  guest: GuestSession,
  tag: string,
  after: string | null,
): Promise<SourcePage<Located<PhotosocialPost>>> {
  const page = await guest.document('hashtag', { keyword: tag, after }, tagUrl(tag));
  return readHashtag(
    page,
    'document',
    tag,
    after === null ? missingTag(tag) : outdatedDocument('the next posts'),
  );
}

async function fetchFirstPage(
  guest: GuestSession,
  tag: string,
): Promise<SourcePage<Located<PhotosocialPost>>> {
  const { answer } = await fromSources([
    async () => readHashtag(await guest.page(tagUrl(tag)), 'page', tag),
    () => fetchFromDocument(guest, tag, null),
  ]);
  return answer;
}

async function fetchNextPage(
  guest: GuestSession,
  tag: string,
  sourcePosition: Json,
): Promise<SourcePage<Located<PhotosocialPost>>> {
  const { after } = sourcePosition as { after: string | null };
  return fetchFromDocument(guest, tag, requireCursor(after));
}

/** GET /photosocial/hashtag */
export const hashtag = defineEndpoint({
  path: 'photosocial/hashtag',
  operation: 'get_photosocial_hashtag',
  summary: 'Instagram hashtag: its top public posts, as shown to logged-out visitors',
  description:
    'Logged-out visitors see the top public posts for a hashtag, mostly reels, ranked by the platform: not the newest, and not all (2026). There is no total, and a hashtag that nobody uses gives an empty list. The list has view counts, but no times, likes or comment counts; these come from each post’s own page, and are null if that is refused.',
  credits: 4,
  cacheSeconds: 3600,
  site,
  params: () => ({
    tag: text('Hashtag without the leading #, in any script; case does not matter.'),
  }),
  page: { max: 24 },
  returns: photosocialPost,
  many: true,
  columns: [
    'caption',
    'username',
    'like_count',
    'timestamp',
    'comments_count',
    'media_type',
    'view_count',
    'shortcode',
  ],
  identify: ({ tag }) => ({ tag: normalTag(tag ?? '') }),
  async read({ identity: { tag }, limit, position, session, overrides = null }) {
    const guest = new GuestSession(session, overrides);
    const filled = await fillPage(limit, position, (sourcePosition) =>
      sourcePosition === null ? fetchFirstPage(guest, tag) : fetchNextPage(guest, tag, sourcePosition),
    );
    return postsResult(guest, filled);
  },
});
