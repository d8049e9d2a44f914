import { ExtractError } from '../../errors/extract-error.js';
import { firstAnswer } from '../../read/first-answer.js';
import type { Page } from '../../web/page-source.js';
import { postFromEmbed } from './embed.js';
import type { GuestSession } from './guest-session.js';
import type { PhotosocialPost } from './objects.js';
import { type Missing, refusePage, refuseWithoutAnswer, refuseWithoutPageData } from './outcome.js';
import { bodyOf, find, type Source } from './page-data.js';
import { postObject } from './post-object.js';
import type { RawPost } from './post-shapes.js';
import { postSubject } from './post-shapes.js';
import { idOfShortcode, publicCode } from './shortcode.js';
import { oembedUrl, type PostIdentity, postEmbedUrl, postOfUrl, postUrl } from './urls.js';

export const missingPost = (shortcode: string): Missing => ({
  code: 'post_not_found',
  message: `The post ${shortcode} does not exist, was removed, or belongs to a private account.`,
});

/** The post, which must be the one that was asked for. */
function requireSamePost(raw: RawPost, shortcode: string): PhotosocialPost {
  const post = postObject(raw);
  if (publicCode(post.shortcode) !== publicCode(shortcode)) {
    throw new ExtractError(
      'platform_changed',
      `The page is about ${post.shortcode}, not about ${shortcode}.`,
    );
  }
  return post;
}

/** Page or document → post. Throws `platform_restricted`, in the platform's words, for one that is gated. */
export function readPost(page: Page, source: Source, shortcode: string): PhotosocialPost {
  const found = find(page, source, postSubject, missingPost(shortcode));
  if ('post' in found) return requireSamePost(found.post, shortcode);
  throw new ExtractError(
    'platform_restricted',
    found.gate === '' ? undefined : `The platform says: ${found.gate}`,
  );
}

/**
 * The second source for a post that no other source gave: the oEmbed answer. It only decides between the
 * refusal and “not found”, since it does not name the kind of post.
 */
async function refuseBySecondSource(guest: GuestSession, shortcode: string): Promise<never> {
  const page = await guest.page(oembedUrl(shortcode));
  refusePage(page, bodyOf(page), missingPost(shortcode), [400, 404]);
  throw new ExtractError(
    'platform_blocked',
    `The post ${shortcode} exists; the platform withholds its data.`,
  );
}

type PostFetcher = (guest: GuestSession, shortcode: string) => Promise<PhotosocialPost>;

const fromPage: PostFetcher = async (guest, shortcode) =>
  readPost(await guest.page(postUrl(shortcode)), 'page', shortcode);

const fromDocument =
  (name: 'post' | 'postItem' | 'postBefore'): PostFetcher =>
  async (guest, shortcode) =>
    readPost(
      await guest.document(name, { id: idOfShortcode(shortcode), shortcode }, postUrl(shortcode)),
      'document',
      shortcode,
    );

const fromEmbed: PostFetcher = async (guest, shortcode) =>
  requireSamePost(
    await postFromEmbed(await guest.page(postEmbedUrl(shortcode)), missingPost(shortcode)),
    shortcode,
  );

/** Every source of one post, in order: the page, the documents, the embed page; last the second source, which proves that the post exists. */
const allSources: readonly PostFetcher[] = [
  fromPage,
  fromDocument('post'),
  fromDocument('postItem'),
  fromDocument('postBefore'),
  fromEmbed,
  refuseBySecondSource,
];

/** One post from the first source that gives it. */
export function onePost(guest: GuestSession, shortcode: string): Promise<PhotosocialPost> {
  return firstAnswer(allSources.map((fetchPost) => () => fetchPost(guest, shortcode)));
}

/**
 * Gives posts of a listing from their own pages, or from the document behind those. What refused one post is
 * not asked for the next ones of the same session.
 */
export function ownPosts(guest: GuestSession): (shortcode: string) => Promise<PhotosocialPost> {
  let sources: readonly PostFetcher[] = [fromPage, fromDocument('post')];
  return (shortcode) =>
    firstAnswer(
      sources.map((fetchPost, index) => async () => {
        const post = await fetchPost(guest, shortcode);
        sources = sources.slice(index);
        return post;
      }),
    );
}

/** The shortcode of what was asked for. A share link is followed to the post it stands for. */
export async function shortcodeOf(guest: GuestSession, identity: PostIdentity): Promise<string> {
  if ('shortcode' in identity) return identity.shortcode;
  const page = await guest.page(identity.share);
  const missing: Missing = { code: 'post_not_found', message: 'The share link leads to no post.' };
  const body = bodyOf(page);
  refusePage(page, body, missing);
  const target = postOfUrlOrNull(page.url);
  if (target !== null && 'shortcode' in target) return target.shortcode;
  if (body.kind === 'html') refuseWithoutPageData(body.html(), missing);
  refuseWithoutAnswer(body.json, missing);
}

function postOfUrlOrNull(url: string): PostIdentity | null {
  try {
    return postOfUrl(url);
  } catch {
    return null;
  }
}
