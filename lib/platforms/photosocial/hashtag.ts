import { defineEndpoint } from '../../endpoint.js';
import { ExtractError } from '../../errors/extract-error.js';
import { text } from '../../params/vocabulary.js';
import { textOrNull } from '../../read/convert.js';
import { fillPage, type SourcePage } from '../../read/fill-page.js';
import type { Json } from '../../read/json.js';
import type { Page } from '../../web/page-source.js';
import { GuestSession } from './guest-session.js';
import { cursorOf, postsResult, refuseFurther, refuseWithheld } from './listing.js';
import { type PhotosocialPost, photosocialPost } from './objects.js';
import type { Missing } from './outcome.js';
import { find, type Source } from './page-data.js';
import { hashtagSubject } from './post-lists.js';
import { postObject } from './post-object.js';
import { site } from './site.js';
import { fromSources } from './sources.js';
import { isTagAt, normalTag, tagUrl } from './urls.js';

const missingTag = (tag: string): Missing => ({
  code: 'hashtag_not_found',
  message: `The platform has no page for #${tag}.`,
  isAt: (address) => isTagAt(address, tag),
});

/** Page or document → the posts it shows for the tag. The current shape has an empty list for an unused tag. */
function readHashtag(page: Page, source: Source, tag: string): SourcePage<PhotosocialPost> {
  const list = find(page, source, hashtagSubject, missingTag(tag));
  const named = textOrNull(list.name)?.normalize('NFC').toLowerCase();
  if (named !== undefined && named !== tag) {
    throw new ExtractError('platform_changed', `The page is about #${named}, not about #${tag}.`);
  }
  if (list.shape !== 'P') refuseWithheld(list, 'the posts');
  const after = cursorOf(list);
  return {
    items: list.items.map(postObject),
    next: after === null ? null : { shape: list.shape, after },
  };
}

async function fetchFromDocument(
  guest: GuestSession,
  tag: string,
  after: string | null,
): Promise<SourcePage<PhotosocialPost>> {
  const page = await guest.document('hashtag', { keyword: tag, after }, tagUrl(tag));
  return readHashtag(page, 'document', tag);
}

async function fetchFirstPage(guest: GuestSession, tag: string): Promise<SourcePage<PhotosocialPost>> {
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
): Promise<SourcePage<PhotosocialPost>> {
  const { shape, after } = sourcePosition as { shape: string; after: string };
  if (shape !== 'P') refuseFurther();
  return fetchFromDocument(guest, tag, after);
}

/** GET /photosocial/hashtag */
export const hashtag = defineEndpoint({
  path: 'photosocial/hashtag',
  operation: 'get_photosocial_hashtag',
  summary: 'Top public posts for a hashtag, as the platform shows them to logged-out visitors',
  description:
    'What logged-out visitors are shown for a hashtag are its top public posts, mostly reels, ranked by the platform: not the newest ones, and not all (2026). The platform gives no total and no error for a tag that nobody uses: that is an empty list. The list carries plays but neither times nor likes nor comments; those are completed from each post’s own page, and stay null where that is refused.',
  credits: 4,
  cacheSeconds: 3600,
  site,
  params: () => ({
    tag: text('Hashtag without the leading #, in any script; upper and lower case are the same.'),
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
