import { refusal } from '../../errors/outcomes.js';
import { firstCount } from '../../read/convert.js';
import type { Page } from '../../web/page-source.js';
import { countOf, postCountsIn, profileCountsIn } from './head-counts.js';
import type { PhotosocialPost, PhotosocialProfile } from './objects.js';
import { type Missing, refusePage, refuseWithoutPageData } from './outcome.js';
import { bodyOf } from './page-data.js';
import { headOf, type PageHead } from './page-head.js';
import { postObject } from './post-object.js';
import type { RawMedia } from './post-shapes.js';
import { profileObject } from './profile-object.js';
import { accountOfPostUrl, postOfUrl } from './urls.js';

function quotedAtEnd(text: string, words: string): string | undefined {
  const at = text.indexOf(words);
  const start = at + words.length;
  const end = text.trimEnd().length - 1;
  return at >= 0 && start <= end && text[end] === '"' ? text.slice(start, end) : undefined;
}

/**
 * Reads the account in the head of its page (2024-08 to 2026-03), or null if it says too little. “5,351 Followers,
 * 3,408 Following, 713 Posts - See Instagram photos and videos from Name (@handle)”. The address must have been
 * checked.
 */
export function profileOfHead(head: PageHead, username: string): PhotosocialProfile | null {
  // Both descriptions name their account.
  const ownText = (text: string | null) => (text?.toLowerCase().includes(`(@${username})`) ? text : '');
  const long = ownText(head.longDescription);
  const texts = [ownText(head.description), long].map(profileCountsIn).filter((counts) => counts !== null);
  const count = (thing: 'followers' | 'follows' | 'posts') =>
    firstCount(...texts.map((counts) => countOf(counts[thing], thing)));
  const [followers, follows, posts] = [count('followers'), count('follows'), count('posts')];
  const name = /^([\s\S]+?) \(@([\w.]{1,30})\)/.exec(head.title ?? '');
  const isOwnName = name?.[2]?.toLowerCase() === username;
  if ([followers, follows, posts].every((count) => count === null) && !isOwnName) return null;
  return profileObject({
    username,
    name: isOwnName ? name?.[1] : undefined,
    biography: quotedAtEnd(long, ' on Instagram: "'),
    followers,
    follows,
    posts,
  });
}

/** Kinds of posts in the tags of picture addresses. */
const taggedKinds = { CLIPS: 'VIDEO', FEED: 'IMAGE', CAROUSEL_ITEM: 'CAROUSEL_ALBUM' } as const;

/**
 * Returns the kind in the tag of a picture's address. `efg` is JSON in base64, such as
 * `{"efg_tag":"FEED.best_image_…"}`.
 */
function kindOfPicture(image: string | null): RawMedia['type'] {
  const tags = URL.parse(image ?? '')?.searchParams.get('efg') ?? '';
  const [, tag] = /_tag":"(CLIPS|FEED|CAROUSEL_ITEM)\./.exec(Buffer.from(tags, 'base64').toString()) ?? [];
  return tag === undefined ? null : taggedKinds[tag as keyof typeof taggedKinds];
}

/**
 * Returns the kind of post in the head. Its `og:type` is “article” for reels, too (2025-11), so the address and the
 * title take precedence. A carousel is recognisable only by the tag of its first picture (2026-03).
 */
function kindOf({ url, type, kindTitle, image, video }: PageHead): RawMedia['type'] {
  if (/\/(?:reel|reels|tv)\//.test(url ?? '') || /Instagram (?:reel|video)\s*$/.test(kindTitle ?? '')) {
    return 'VIDEO';
  }
  const tagged = kindOfPicture(image);
  if (tagged === 'CAROUSEL_ALBUM') return tagged;
  if (video !== null || type?.startsWith('video') === true) return 'VIDEO';
  if (tagged !== null) return tagged;
  if (/Instagram photo\s*$/.test(kindTitle ?? '')) return 'IMAGE';
  // Carousels are titled “Instagram photos and videos”, whatever their first part is.
  return type === 'article' && !/photos and videos/.test(kindTitle ?? '') ? 'IMAGE' : null;
}

/** “34 likes, 7 comments - handle on March 16, 2026: "caption"”; a post without a caption ends with the date. */
const postWords = /^([^"]{0,80}?)- ([\w.]{1,30}) on [A-Z][a-z]+ \d{1,2}, \d{4}(?:\.?$|: "([\s\S]*)"\.?$)/;

/**
 * Reads the post in the head of its page (2024-08 to 2026-03), or null if it says too little: neither the caption,
 * which has the hashtags and mentions, nor the kind. The address must have been checked. The head has a date only, so
 * the time stays unknown.
 */
export function postOfHead(head: PageHead): PhotosocialPost | null {
  const type = kindOf(head);
  const post = postOfUrl(head.url ?? '');
  const all = [head.description, head.longDescription]
    .map((text) => postWords.exec(text ?? ''))
    .filter((words) => words !== null);
  const [words] = all;
  if (type === null || words === undefined || post === null || !('shortcode' in post)) return null;
  const [, , handle = '', caption] = words;
  const account = accountOfPostUrl(head.url ?? '') ?? handle.toLowerCase();
  if (account !== handle.toLowerCase()) return null;
  const counts = all.map(([, counted = '']) => postCountsIn(counted.trimEnd()));
  return postObject({
    type,
    images: [head.image],
    videos: [head.video],
    shortcode: post.shortcode,
    productType: /\/reels?\//.test(head.url ?? '') ? 'clips' : undefined,
    // The pattern matches to the end of a description without a caption, so there is none.
    caption: caption ?? null,
    likes: firstCount(...counts.map(({ likes }) => likes)),
    comments: counts.map(({ comments }) => comments),
    username: account,
  });
}

/** Returns the head of the subject's own page. Throws what the page is instead. */
export function headOfPage(page: Page, missing: Missing): PageHead {
  const body = bodyOf(page);
  refusePage(page, body, missing);
  const head = body.kind === 'html' ? headOf(body.html()) : null;
  if (head?.url != null && missing.isAt?.(head.url) === true) return head;
  if (body.kind === 'html') refuseWithoutPageData(body.html(), missing);
  throw refusal('subject_without_data', 'The head of the page does not describe the subject.');
}
