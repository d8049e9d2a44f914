import { defineEndpoint } from '../../endpoint.js';
import { countOrNull, idOrNull, isoFromUnix, textOrEmpty, textOrNull } from '../../read/convert.js';
import { fillPage, type SourcePage } from '../../read/fill-page.js';
import { type Located, locatedData } from '../../read/item-source.js';
import type { Json } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { commentsSubject, type RawComment } from './comment-shapes.js';
import { GuestSession } from './guest-session.js';
import { sourceOfComment } from './item-sources.js';
import { refuseWithheld, requireCursor } from './listing.js';
import { type PhotosocialComment, photosocialComment } from './objects.js';
import { outdatedDocument } from './outcome.js';
import { find, type Source } from './page-data.js';
import { missingPost } from './post-source.js';
import { emptyProofOf } from './raw-list.js';
import { shortcodeOf } from './share-link.js';
import { idOfShortcode, isPost } from './shortcode.js';
import { site } from './site.js';
import { fromSources } from './sources.js';
import { postIdentity, postParams, postUrl } from './urls.js';

/** The text as it stands. Null where the page says that there is none, as under a picture or a sticker. */
function commentText(raw: unknown): string | null {
  if (raw === null) return null;
  const text = requireValue(textOrEmpty(raw), 'the text of a comment');
  return text.trim() === '' ? null : text;
}

/** A comment as the contract has it. Throws `platform_changed` where it has no author, no time or no word of a text. */
function commentObject(raw: RawComment): PhotosocialComment {
  return {
    username: requireValue(textOrNull(raw.username), 'the author of a comment'),
    text: commentText(raw.text),
    timestamp: requireValue(isoFromUnix(raw.createdAt), 'the time of a comment'),
    like_count: countOrNull(raw.likes),
    reply_count: countOrNull(raw.replies),
    parent_id: idOrNull(raw.parentId),
  };
}

/** The identity of a comment. An id that came as a number has lost digits: the comment's own content serves then. */
function commentKey(raw: RawComment): string {
  return idOrNull(raw.id) ?? JSON.stringify([raw.username, raw.createdAt, raw.text]);
}

interface Comment extends Located<PhotosocialComment> {
  readonly key: string;
}

/**
 * Page or document → a source page of comments. The post's own count proves an empty first one, or it is refused. An
 * empty later one is the end where the platform says so.
 */
function readComments(page: Page, source: Source, shortcode: string, begins = true): SourcePage<Comment> {
  const missing = begins ? missingPost(shortcode) : outdatedDocument('the next comments');
  const list = find(page, source, commentsSubject, missing, ({ post }) => isPost(post, shortcode));
  if (begins || list.more === true) refuseWithheld(list, 'the comments');
  const items = list.items.map((raw) => ({
    key: commentKey(raw),
    item: commentObject(raw),
    source: sourceOfComment(raw, shortcode),
  }));
  const emptyProof = emptyProofOf(list);
  // The older shapes go on for signed-in visitors alone (since 2022): what is given here ends with the first part.
  if (list.more === false || list.shape !== 'P') return { items, next: null, emptyProof };
  // The cursor is the platform's own text, JSON within JSON: it goes back byte for byte.
  const after = typeof list.after === 'string' && list.after !== '' ? list.after : null;
  return { items, next: { after }, emptyProof };
}

/** A part of the list that the document gave. Where it names no next one, the document is not asked again. */
const asked = (part: SourcePage<Comment>): SourcePage<Comment> =>
  part.next === null ? part : { ...part, next: { ...(part.next as object), asked: true } };

async function fetchNextPage(
  guest: GuestSession,
  shortcode: string,
  sourcePosition: Json,
): Promise<SourcePage<Comment>> {
  const { after, asked: isAsked } = sourcePosition as { after: string | null; asked?: boolean };
  // Without a cursor, what follows the comments of the page is found by asking from the beginning.
  if (isAsked === true) requireCursor(after);
  return asked(readComments(await fetchComments(guest, shortcode, after), 'document', shortcode, false));
}

const fetchComments = (guest: GuestSession, shortcode: string, after: string | null) =>
  guest.document('comments', { id: idOfShortcode(shortcode), after }, postUrl(shortcode));

async function fetchFirstPage(guest: GuestSession, shortcode: string): Promise<SourcePage<Comment>> {
  const from = postUrl(shortcode);
  const id = idOfShortcode(shortcode);
  const { answer } = await fromSources([
    async () => readComments(await guest.page(from), 'page', shortcode),
    async () => readComments(await guest.document('post', { id, shortcode }, from), 'document', shortcode),
    async () => asked(readComments(await fetchComments(guest, shortcode, null), 'document', shortcode)),
  ]);
  return answer;
}

/** GET /photosocial/comments */
export const comments = defineEndpoint({
  path: 'photosocial/comments',
  operation: 'get_photosocial_comments',
  summary: 'Instagram comments: on one post or reel, as far as logged-out visitors can see them',
  description:
    'Reads the public page of the post and the list behind its “more”. The platform gives logged-out visitors four to fifteen comments at a time and often stops long before the last one, whatever the comment count of the post. Replies and their number are not shown at all (2026). If the platform withholds the comments, the call fails: you never get an empty list.',
  credits: 3,
  cacheSeconds: 3600,
  site,
  params: postParams,
  exactlyOne: ['url', 'shortcode'],
  page: { max: 50 },
  returns: photosocialComment,
  many: true,
  columns: ['text', 'username', 'timestamp', 'like_count', 'reply_count', 'parent_id'],
  identify: postIdentity,
  async read({ identity, limit, position, session, overrides = null }) {
    const guest = new GuestSession(session, overrides);
    const shortcode = await shortcodeOf(guest, identity);
    const { items, next, whole, emptyProof } = await fillPage(limit, position, (sourcePosition) =>
      sourcePosition === null
        ? fetchFirstPage(guest, shortcode)
        : fetchNextPage(guest, shortcode, sourcePosition),
    );
    return {
      ...locatedData(items),
      ids: items.map(({ key }) => key),
      next,
      brief: !whole,
      emptyProof,
    };
  },
});
