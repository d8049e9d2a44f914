import { ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
import type { Located } from '../../read/item-source.js';
import { isEmpty } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { postFromEmbed } from './embed.js';
import type { GuestSession } from './guest-session.js';
import { postOfHead } from './head-answer.js';
import { sourceOfPost } from './item-sources.js';
import type { PhotosocialPost } from './objects.js';
import { type Missing, refusePage, SubjectWithoutData } from './outcome.js';
import { bodyOf, find, type Source } from './page-data.js';
import { locatedPost } from './post-object.js';
import { postSubject } from './post-shapes.js';
import { idOfShortcode, isPost } from './shortcode.js';
import { fromSources, type SourcedAnswer, type SubjectSoFar } from './sources.js';
import { isPostAt, oembedUrl, postEmbedUrl, postUrl } from './urls.js';

export const missingPost = (shortcode: string): Missing => ({
  code: 'post_not_found',
  message: `The post ${shortcode} does not exist, was removed, or belongs to a private account.`,
  isAt: (address) => isPostAt(address, shortcode),
});

/** Page or document → post. Throws `platform_restricted`, in the platform's words, for one that is gated. */
export function readPost(page: Page, source: Source, shortcode: string): Located<PhotosocialPost> {
  const found = find(page, source, postSubject, missingPost(shortcode), (value) =>
    isPost({ code: postSubject.nameOf(value), id: undefined }, shortcode),
  );
  if ('post' in found) return locatedPost(found.post);
  throw new ExtractError(
    'platform_restricted',
    found.gate === '' ? undefined : `The platform says: ${found.gate}`,
  );
}

/**
 * The second source for a post that no other source gave: the oEmbed answer. It only decides between the
 * refusal and “not found”, since it does not name the kind of post.
 */
async function refuseBySecondSource(
  guest: GuestSession,
  shortcode: string,
  { isNamed }: SubjectSoFar,
): Promise<never> {
  if (isNamed) throw refusal('shell', 'The platform withholds the post.');
  const page = await guest.page(oembedUrl(shortcode));
  const body = bodyOf(page);
  // The platform says so in data: a page with that status says that the address is gone.
  refusePage(page, body, missingPost(shortcode), body.kind === 'json' || isEmpty(page) ? [400, 404] : []);
  throw refusal('shell', 'The post exists, and the platform withholds its data.');
}

type PostFetcher = (
  guest: GuestSession,
  shortcode: string,
  subject: SubjectSoFar,
) => Promise<Located<PhotosocialPost>>;

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

const fromEmbed: PostFetcher = async (guest, shortcode) => {
  const raw = await postFromEmbed(await guest.page(postEmbedUrl(shortcode)), missingPost(shortcode));
  if (!isPost({ code: raw.shortcode, id: undefined }, shortcode)) {
    throw new ExtractError('platform_changed', 'The embed page is about another post.');
  }
  return locatedPost(raw);
};

/**
 * Every source of one post, in order: the page, the documents, the embed page. Last the second source, which proves
 * that the post exists.
 */
const allSources: readonly PostFetcher[] = [
  fromPage,
  fromDocument('post'),
  fromDocument('postItem'),
  fromDocument('postBefore'),
  fromEmbed,
  refuseBySecondSource,
];

/** One post from the first source that gives it; the last one is the head of its page. */
export function onePost(
  guest: GuestSession,
  shortcode: string,
): Promise<SourcedAnswer<Located<PhotosocialPost>>> {
  return fromSources(
    allSources.map((fetchPost) => (subject) => fetchPost(guest, shortcode, subject)),
    (head) => {
      const post = postOfHead(head);
      return post && { item: post, source: sourceOfPost(post) };
    },
  );
}

/**
 * Gives posts of a listing from their own pages, or from the document behind those. A source that refused one post is
 * not asked for the next ones of the same session. A page without its data ends the completion: the pages of the
 * other posts come without it, too.
 */
export function ownPosts(guest: GuestSession): (shortcode: string) => Promise<Located<PhotosocialPost>> {
  let sources: readonly PostFetcher[] = [fromPage, fromDocument('post')];
  return async (shortcode) => {
    const { answer } = await fromSources(
      sources.map((fetchPost, index) => async (subject) => {
        const post = await fetchPost(guest, shortcode, subject);
        sources = sources.slice(index);
        return post;
      }),
    ).catch((error: unknown) => {
      throw error instanceof SubjectWithoutData ? refusal('shell', error.message) : error;
    });
    return answer;
  };
}
