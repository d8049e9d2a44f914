import { ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
import { idOrNull, numberOrNull, textOrNull } from '../../read/convert.js';
import { elements } from '../../read/html.js';
import { at, listAt, parseJson } from '../../read/json.js';
import type { Page } from '../../web/page-source.js';
import { countOf } from './head-counts.js';
import { type Missing, notFound, ofAnother, refusePage, refuseWithoutPageData } from './outcome.js';
import { bodyOf } from './page-data.js';
import { legacyPost, type RawPost } from './post-shapes.js';
import type { RawProfile } from './profile-shapes.js';
import { shortcodeOfId } from './shortcode.js';

const mark = '"contextJSON":';

/**
 * Returns the data of an embed page: JSON as a string within the page's own JSON (2026). Null if the page says it knows
 * nothing, undefined if it does not say.
 */
function contextOf(html: string): unknown {
  const index = html.indexOf(mark);
  if (index < 0) return undefined;
  const from = index + mark.length;
  if (html.startsWith('null', from)) return null;
  if (html[from] !== '"') return undefined;
  let end = html.indexOf('"', from + 1);
  while (end > 0 && isEscaped(html, end)) end = html.indexOf('"', end + 1);
  if (end < 0) return undefined;
  const text = parseJson(html.slice(from, end + 1), 'The context of the embed page');
  return parseJson(String(text), 'The context of the embed page');
}

/** True for a character after an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}

function htmlOf(page: Page, missing: Missing): string {
  const body = bodyOf(page);
  // Status 404 may also mean that the platform has no embed pages any more.
  refusePage(page, body, missing, []);
  if (body.kind === 'html') return body.html();
  throw new ExtractError('platform_changed', 'The platform answered with data instead of the embed page.');
}

/**
 * A single picture is only in the page's elements (2026). A deleted or private post appears there as broken media
 * (2026-02 to 2026-06).
 */
async function pictureOf(html: string, missing: Missing): Promise<RawPost> {
  const select = await elements(html);
  const root = select('[data-media-type][data-media-id]').first();
  const within = (selector: string) => root.find(selector).first();
  const picture = within('img.EmbeddedMediaImage');
  if (select('.EmbedIsBroken, .EmbedBrokenMedia').length > 0) throw notFound(missing);
  // A withheld post has no picture either.
  if (root.attr('data-media-type') === undefined && picture.attr('src') === undefined)
    throw refusal('shell', 'The embed page has no data about the post.');
  const caption = within('.Caption').clone();
  // The author precedes the caption. Without that mark, the start of the caption is unknown.
  const isMarked = caption.find('.CaptionUsername').length > 0;
  caption.find('.CaptionUsername, .CaptionComments').remove();
  caption.find('br').replaceWith('\n');
  const likes = within('.SocialProof, [data-log-event="likeCountClick"]').text();
  return {
    type: root.attr('data-media-type') === 'GraphImage' ? 'IMAGE' : null,
    images: [picture.attr('src')],
    shortcode: shortcodeOfId(idOrNull(root.attr('data-media-id')) ?? ''),
    caption: isMarked ? caption.text() : undefined,
    likes: countOf(likes, 'likes'),
    comments: [countOf(within('.CaptionComments').text(), 'comments')],
    username: within('.UsernameText').text(),
  };
}

/** Reads a post from its embed page, which has no time and no label. Throws what the page is instead. */
export async function postFromEmbed(page: Page, missing: Missing): Promise<RawPost> {
  const html = htmlOf(page, missing);
  const context = contextOf(html);
  const media = at(context, 'gql_data', 'shortcode_media');
  if (media !== undefined && media !== null) return legacyPost(media);
  if (context === undefined) refuseWithoutPageData(html, missing);
  return pictureOf(html, missing);
}

/**
 * Reads an account from its embed page (2026-07 to 2026-10): counts, and its newest posts with their times. Throws not
 * found for one that the page knows nothing of: missing, private, or closed to embedding.
 */
export function accountFromEmbed(page: Page, username: string, missing: Missing): unknown {
  const html = htmlOf(page, missing);
  const context = contextOf(html);
  if (context === undefined) refuseWithoutPageData(html, missing);
  const account = context === null ? null : at(context, 'context');
  if (account === null) throw notFound(missing);
  const name = textOrNull(at(account, 'username'));
  if (name?.toLowerCase() !== username) throw ofAnother(name);
  return account;
}

/** Shape L, with its own field names for the account. */
export function embeddedProfile(account: unknown): RawProfile {
  return {
    id: at(account, 'owner_id'),
    username: at(account, 'username'),
    name: at(account, 'full_name'),
    // Some pages have the link and the category; none says that there is none.
    externalUrl: textOrNull(at(account, 'external_url')) ?? undefined,
    followers: at(account, 'followers_count'),
    posts: at(account, 'posts_count'),
    private: at(account, 'is_private'),
    categories: [at(account, 'category_name')],
  };
}

const isPinned = (post: unknown) => listAt(post, 'pinned_for_users').length > 0;

/**
 * Returns the account's posts, pinned ones first, then the newest. An entry is the post, or holds it as
 * `shortcode_media`.
 */
export function embeddedPosts(account: unknown): RawPost[] {
  return listAt(account, 'graphql_media')
    .map((entry) => at(entry, 'shortcode_media') ?? entry)
    .filter((post) => post !== null && post !== undefined)
    .map((post) => ({ raw: legacyPost(post), pinned: isPinned(post) }))
    .sort(
      (a, b) =>
        Number(b.pinned) - Number(a.pinned) ||
        (numberOrNull(b.raw.takenAt) ?? 0) - (numberOrNull(a.raw.takenAt) ?? 0),
    )
    .map(({ raw }) => raw);
}
