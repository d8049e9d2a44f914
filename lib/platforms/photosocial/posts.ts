import { defineEndpoint } from '../../endpoint.js';
import { ExtractError } from '../../errors/extract-error.js';
import { boolOrNull, countOrNull, idOrNull, textOrNull } from '../../read/convert.js';
import { fillPage, type SourcePage } from '../../read/fill-page.js';
import { firstAnswer } from '../../read/first-answer.js';
import type { Located } from '../../read/item-source.js';
import { at, type Json } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import type { DocumentName } from './documents.js';
import { GuestSession } from './guest-session.js';
import { sourceOfPost } from './item-sources.js';
import { nextOf, postsResult, refuseWithheld, requireCursor } from './listing.js';
import { type PhotosocialPost, photosocialPost } from './objects.js';
import { type Missing, outdatedDocument } from './outcome.js';
import { find, findOptional, type Source } from './page-data.js';
import { postCountOf } from './page-meta.js';
import { isTimelineOf, type RawTimeline, timelineSubject } from './post-lists.js';
import { postObject } from './post-object.js';
import { isAccount, missingProfile } from './profile.js';
import { profileSubject } from './profile-shapes.js';
import { emptyProofOf } from './raw-list.js';
import { usernameIn } from './share-link.js';
import { site } from './site.js';
import { fromSources } from './sources.js';
import { accountOf, accountParams, profileUrl } from './urls.js';

const handle = (value: unknown) => textOrNull(value)?.toLowerCase() ?? null;

/** The document that continues a list, by the list's shape: each takes only its own cursors. */
const nextDocuments: Readonly<Record<string, DocumentName>> = {
  P: 'postsNext',
  V1: 'fullPostsNext',
  L: 'postsBefore',
};

/** What is known of a list beside its own words, from the answers before it. */
interface Listed {
  /** Posts that came so far. */
  readonly given: number;
  /** Posts of the account, as its page counts them; null where it does not. */
  readonly total: number | null;
}

const beginning: Listed = { given: 0, total: null };

/**
 * Whether a list ends too early to be believed: the account has more than twice as many posts. Some posts are counted,
 * and listed to nobody.
 */
const endsEarly = ({ given, total }: Listed) => total !== null && given * 2 < total;

function sourcePageOf(
  list: RawTimeline,
  username: string,
  nodeId: string | null,
  before: Listed,
): SourcePage<Located<PhotosocialPost>> {
  const own = list.items.find((post) => handle(post.username) === username);
  const ownerId = idOrNull(list.ownerId) ?? idOrNull(own?.ownerId);
  const listed = { given: before.given + list.items.length, total: before.total };
  // The platform often ends its list for visitors who are not signed in: there is a next part, which it does not show.
  const next = nextOf(list) ?? (endsEarly(listed) ? { after: null } : null);
  const id = list.shape === 'P' ? (nodeId ?? idOrNull(list.nodeId) ?? idOrNull(own?.ownerNodeId)) : ownerId;
  return {
    items: list.items.map((raw) => {
      const post = postObject(raw);
      // Some listings name the owner of a post by id alone.
      const isOwn = post.username === null && ownerId !== null && idOrNull(raw.ownerId) === ownerId;
      const item = isOwn ? { ...post, username } : post;
      return { item, source: sourceOfPost(item, raw) };
    }),
    next: next && { shape: list.shape, ...next, id, ...listed },
    emptyProof: emptyProofOf(list),
  };
}

const privateAccount = () =>
  new ExtractError('account_private', 'The account is private: its posts are for followers only.');

/** First posts of an account, from a page or a document. An empty list is proven, or refused. */
export function readTimeline(
  page: Page,
  source: Source,
  username: string,
  missing: Missing = missingProfile(username),
  before: Listed = beginning,
): SourcePage<Located<PhotosocialPost>> {
  const account = findOptional(page, source, profileSubject, missing, isAccount(username));
  const isOwn = (list: RawTimeline) => isTimelineOf(list, username, [idOrNull(account?.id)]);
  // A list that does not say whose it is holds at most no posts of anybody.
  const isAsked = (list: RawTimeline) => isOwn(list) ?? list.items.length === 0;
  const list = findOptional(page, source, timelineSubject, missing, isAsked);
  if (list !== undefined && list.items.length > 0) {
    const counted = countOrNull(account?.posts) ?? (source === 'page' ? postCountOf(page, username) : null);
    return sourcePageOf(list, username, null, { ...before, total: before.total ?? counted });
  }
  const isPrivate = boolOrNull(account?.private) ?? (list && isOwn(list) ? boolOrNull(list.private) : null);
  if (isPrivate === true) throw privateAccount();
  const existing = list ?? find(page, source, timelineSubject, missing, isAsked);
  const isProven = isOwn(existing) === true;
  const total =
    (isProven ? countOrNull(existing.total) : null) ??
    countOrNull(account?.posts) ??
    (source === 'page' ? postCountOf(page, username) : null);
  // The account's own page says that it is public and that its list is empty and ends here.
  const proven = total ?? (isProven && isPrivate === false && existing.more === false ? 0 : null);
  refuseWithheld({ ...existing, total: proven }, 'the posts');
  return { items: [], next: null, emptyProof: { total: proven } };
}

/**
 * The beginning of the list. Logged-out pages list posts without times and counts (2026). One question for whole posts
 * is tried before each is completed from its own page.
 */
async function fetchFirstPage(
  guest: GuestSession,
  username: string,
): Promise<SourcePage<Located<PhotosocialPost>>> {
  const from = profileUrl(username);
  const fetchWholePosts = async (before = beginning) =>
    readTimeline(
      await guest.document('fullPosts', { username }, from),
      'document',
      username,
      outdatedDocument('whole posts'),
      before,
    );
  const { answer: listed } = await fromSources([
    async () => readTimeline(await guest.page(from), 'page', username),
    async () => readTimeline(await guest.document('posts', { username }, from), 'document', username),
    () => fetchWholePosts(),
  ]);
  if (listed.items.every(({ item }) => item.timestamp !== null)) return listed;
  const total = countOrNull(at(listed.next, 'total'));
  return firstAnswer([() => fetchWholePosts({ ...beginning, total }), async () => listed]);
}

async function fetchNextPage(
  guest: GuestSession,
  username: string,
  sourcePosition: Json,
): Promise<SourcePage<Located<PhotosocialPost>>> {
  const { shape, id, ...next } = sourcePosition as { shape: string; after: string | null; id: string | null };
  const before = {
    given: countOrNull(at(sourcePosition, 'given')) ?? 0,
    total: countOrNull(at(sourcePosition, 'total')),
  };
  const after = requireCursor(next.after);
  const document = requireValue(nextDocuments[shape], 'a way to its next posts');
  if (document !== 'fullPostsNext') requireValue(id, 'the ID that its next posts are asked by');
  const page = await guest.document(document, { username, after, id }, profileUrl(username));
  const list = find(
    page,
    'document',
    timelineSubject,
    outdatedDocument('the next posts'),
    (found) => isTimelineOf(found, username, [id]) ?? found.items.length === 0,
  );
  if (list.more === true || endsEarly(before)) refuseWithheld(list, 'the next posts');
  return sourcePageOf(list, username, id, before);
}

/** GET /photosocial/posts */
export const posts = defineEndpoint({
  path: 'photosocial/posts',
  operation: 'get_photosocial_posts',
  summary: 'Instagram posts: by one account, pinned first, then newest',
  description:
    'Reads the public profile page, which lists twelve posts without their times and counts. These come from one more request if the platform answers it, otherwise from each post’s own page; if that page is refused, they are null. Posts after the first twelve are often shown only to signed-in users: the next page is then an error, never an early end. A private account is account_private.',
  credits: 3,
  cacheSeconds: 10_800,
  site,
  params: accountParams,
  exactlyOne: ['username', 'url'],
  page: { max: 24 },
  returns: photosocialPost,
  many: true,
  columns: [
    'caption',
    'timestamp',
    'like_count',
    'comments_count',
    'media_type',
    'view_count',
    'hashtags',
    'shortcode',
  ],
  identify: accountOf,
  async read({ identity, limit, position, session, overrides = null }) {
    const guest = new GuestSession(session, overrides);
    const username = await usernameIn(guest, identity);
    const filled = await fillPage(limit, position, (sourcePosition) =>
      sourcePosition === null
        ? fetchFirstPage(guest, username)
        : fetchNextPage(guest, username, sourcePosition),
    );
    return { ...(await postsResult(guest, filled)), isEnd: filled.emptyProof.end === true };
  },
});
