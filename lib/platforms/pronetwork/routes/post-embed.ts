import { ExtractError } from '../../../errors/extract-error.js';
import type { ItemIdentity } from '../../../routes/complete-items.js';
import type { ObjectReading, Route } from '../../../routes/route.js';
import type { Page } from '../../../web/page-source.js';
import { activityIdOf, publishedAt } from '../activity-id.js';
import type { PronetworkPost } from '../objects.js';
import { pageRequest } from '../site.js';

/** Selectors in the embed of a post, besides those of cards (2026-05 to 2026-09). */
const embed = {
  post: 'article[data-activity-urn]',
  text: '[data-test-id=main-feed-activity-embed-card__commentary]',
  /** A post shared by this one; its text is not this one's. */
  shared: '[data-test-id=feed-reshare-content] [data-test-id$=__commentary]',
  article: 'a[data-tracking-control-name=public_post_embed_feed-article-content]',
  poster: 'video[data-poster-url]',
} as const;

const expectation = { key: /embed|public_post/i, notFound: 'post_not_found' } as const;

/** “…more” follows every text, whether or not it is cut off. */
const withoutMore = (text: string | null) =>
  text?.replace(/(?:…|\.{3})\s*(?:see )?more$/, '').trimEnd() ?? null;

/** Throws `platform_changed` for another post. */
async function readEmbed(
  page: Page,
  id: string,
): Promise<Pick<ObjectReading<PronetworkPost>, 'data' | 'partial'>> {
  const { accept, refuseWithoutElement } = await import('../outcome.js');
  const { all, attr, line, firstElement: one, treeOf, verbatim } = await import('../../../read/html-tree.js');
  const { articleLink, mediaOf } = await import('../post-media.js');
  const { countsOf } = await import('../post-counts.js');
  const { card } = await import('../post-selectors.js');
  const acceptedPage = accept(page, expectation);
  const article = one(treeOf(acceptedPage.html), embed.post);
  if (article === null) return refuseWithoutElement(page, acceptedPage, 'a post');
  if (activityIdOf(attr(article, 'data-activity-urn')) !== id) {
    throw new ExtractError('platform_changed', `The page is about a post other than ${id}.`);
  }
  const shared = all(article, embed.shared);
  const ownText = all(article, embed.text).find((text) => !shared.includes(text));
  const media = mediaOf(article);
  const poster = attr(one(article, embed.poster), 'data-poster-url');
  const video =
    media.video ?? (poster === null ? null : { url: null, thumbnail_url: poster, duration: null });
  const link = one(article, embed.article);
  const data = {
    text: withoutMore(verbatim(ownText ?? shared[0] ?? null)),
    ...media,
    video,
    article: media.article ?? articleLink(link, line(one(link, card.linkedTitle))),
    ...countsOf(article),
    published_at: publishedAt(id),
    repost_count: null,
  };
  const isHidden = one(article, card.hiddenImages) !== null;
  return {
    data,
    partial: [...(isHidden ? ['images'] : []), ...(video !== null && video.url === null ? ['video'] : [])],
  };
}

/** A post's embed: 20 KB compared with the 130 to 410 of its page. */
export const postEmbed: Route<ItemIdentity, ObjectReading<PronetworkPost>> = {
  name: 'post-embed',
  reads: 'The post as the platform makes it for other sites.',
  surface: 'embed',
  seen: { month: '2026-09', from: ['home', 'datacentre'] },
  fills: {
    ...{ reaction_breakdown: 'some', repost_count: 'never', document: 'some', article: 'some' },
    ...{ video: 'some' },
  },
  async read({ identity: { id: urn, url }, session }) {
    const page = await session.fetch(pageRequest(`https://www.linkedin.com/embed/feed/update/${urn}`));
    const reading = await readEmbed(page, activityIdOf(urn) ?? urn);
    return { ...reading, source: { id: urn, url, author: null } };
  },
};
