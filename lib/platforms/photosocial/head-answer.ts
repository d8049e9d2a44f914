import type { PhotosocialPost, PhotosocialProfile } from './objects.js';
import type { PageHead } from './page-head.js';
import { postObject } from './post-object.js';
import type { RawMedia } from './post-shapes.js';
import { profileObject } from './profile-object.js';
import { accountOfPostUrl, postOfUrlOrNull } from './urls.js';

/** A count in English, as asked for: “5,351”, “13K”, “1.2M”. */
const count = '(\\d[\\d,.]*[KMB]?)';

const units: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9 };

/** “13K” → 13000: a rounded count as published. Undefined for what is no count. */
function parseRoundedCount(words: string | undefined): number | undefined {
  if (words === undefined) return undefined;
  const unit = units[words.slice(-1)];
  const digits = words.replaceAll(',', '');
  const number = unit === undefined ? Number(digits) : Math.round(Number(digits.slice(0, -1)) * unit);
  return Number.isSafeInteger(number) ? number : undefined;
}

const countBefore = (text: string, word: string) =>
  parseRoundedCount(new RegExp(`(?:^|[\\s,])${count} ${word}(?![a-z])`).exec(text)?.[1]);

const profileCounts = new RegExp(`^${count} Followers?, ${count} Following, ${count} Posts?(?= - )`);

/**
 * The account that the head of its page describes (2024-08 to 2026-03), or null where it says too little. “5,351
 * Followers, 3,408 Following, 713 Posts - See Instagram photos and videos from Name (@handle)”. The address must have
 * been checked. The links of the bio are not among it, and the contract has no null for them.
 */
export function profileOfHead(head: PageHead, username: string): PhotosocialProfile | null {
  const long = head.longDescription ?? '';
  const counts = profileCounts.exec(head.description ?? '') ?? profileCounts.exec(long);
  const name = /^([\s\S]+?) \(@([\w.]{1,30})\)/.exec(head.title ?? '');
  const isOwnName = name?.[2]?.toLowerCase() === username;
  if (counts === null && !isOwnName) return null;
  return profileObject({
    id: undefined,
    username,
    name: isOwnName ? name?.[1] : undefined,
    biography: / on Instagram: "([\s\S]*)"\s*$/.exec(long)?.[1],
    bioLinks: [],
    externalUrl: undefined,
    followers: parseRoundedCount(counts?.[1]),
    follows: parseRoundedCount(counts?.[2]),
    posts: parseRoundedCount(counts?.[3]),
    verified: undefined,
    private: undefined,
    business: undefined,
    accountType: undefined,
    categories: [],
    showsCategory: undefined,
    contact: null,
  });
}

/**
 * What kind of post the head names. Its `og:type` is “article” for reels, too (2025-11), so the address and the title
 * are asked first. A carousel cannot be told from its first picture.
 */
function kindOf({ url, type, kindTitle }: PageHead): RawMedia['type'] {
  if (/\/(?:reel|reels|tv)\//.test(url ?? '') || /Instagram (?:reel|video)\s*$/.test(kindTitle ?? '')) {
    return 'VIDEO';
  }
  if (type?.startsWith('video') === true) return 'VIDEO';
  if (/Instagram photo\s*$/.test(kindTitle ?? '')) return 'IMAGE';
  // “Instagram photos and videos” stands over carousels and says nothing of their beginning.
  return type === 'article' && !/photos and videos/.test(kindTitle ?? '') ? 'IMAGE' : null;
}

/** “34 likes, 7 comments - handle on March 16, 2026: "caption"”; a post without a caption ends with the date. */
const postWords = /^([^"]{0,80}?)\s*- ([\w.]{1,30}) on [A-Z][a-z]+ \d{1,2}, \d{4}(?:\.?$|: "([\s\S]*)"\.?$)/;

/**
 * The post that the head of its page describes (2024-08 to 2026-03), or null where it says too little. The caption,
 * from which hashtags and mentions come, or the kind. The address must have been checked. The head has a date without a
 * time, so the time stays unknown.
 */
export function postOfHead(head: PageHead): PhotosocialPost | null {
  const type = kindOf(head);
  const post = postOfUrlOrNull(head.url ?? '');
  const words = postWords.exec(head.description ?? '') ?? postWords.exec(head.longDescription ?? '');
  if (type === null || words === null || post === null || !('shortcode' in post)) return null;
  const [, counts = '', handle, caption] = words;
  return postObject({
    type,
    images: [head.image],
    videos: [],
    shortcode: post.shortcode,
    productType: /\/reels?\//.test(head.url ?? '') ? 'clips' : undefined,
    caption,
    takenAt: undefined,
    children: [],
    likes: countBefore(counts, 'likes?'),
    countsHidden: undefined,
    comments: [countBefore(counts, 'comments?')],
    views: [],
    paidPartnership: undefined,
    sponsors: [],
    username: accountOfPostUrl(head.url ?? '') ?? handle,
    ownerId: undefined,
    ownerNodeId: undefined,
    coauthors: [],
  });
}
