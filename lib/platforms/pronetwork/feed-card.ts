import { ExtractError } from '../../errors/extract-error.js';
import { all, attr, type Element, line, one, type Tree, verbatim } from '../../read/html-tree.js';
import { activityIdOf, postUrnOf } from './activity-id.js';
import { siteLinkOrNull } from './links.js';
import { type PostCard, postCard } from './post-card.js';
import { countsOf } from './post-counts.js';
import { mediaOf } from './post-media.js';
import { card } from './post-selectors.js';
import { pageOfUrl } from './urls.js';

/**
 * A card of a company's feed. Its number is that of the activity. A repost has a number of its own, while its text is
 * the original's or the words put above it.
 */
function readCard(article: Element): PostCard {
  const around = article.parent as Tree | null;
  const permalink = siteLinkOrNull(attr(one(around, card.link), 'href'));
  const id = activityIdOf(attr(article, 'data-activity-urn')) ?? activityIdOf(permalink);
  const post = {
    text: verbatim(one(article, card.text)) ?? verbatim(one(article, card.quoted)),
    ...mediaOf(article),
    ...countsOf(article),
  };
  const address =
    permalink ?? (id === null ? null : `https://www.linkedin.com/feed/update/urn:li:activity:${id}`);
  const urn = postUrnOf(attr(article, 'data-activity-urn')) ?? postUrnOf(permalink);
  return postCard(post, { id, permalink: address, urn, author: authorOf(article), partial: partOf(article) });
}

/** Pictures beyond the fifth are only counted. */
const partOf = (article: Element): PostCard['partial'] =>
  one(article, card.hiddenImages) === null ? [] : ['images'];

/** The links of a card's first line: to who reposted or wrote the post. */
function ownerLinks(article: Element): readonly Element[] {
  const links = all(article, card.owner);
  const first = attr(links[0] ?? null, 'href');
  const owner = pageOfUrl(first ?? '')?.vanity;
  return links.filter((link) => pageOfUrl(attr(link, 'href') ?? '')?.vanity === owner);
}

/**
 * The author or reposter of a post: the address, and the name of the link that has one; its picture's link has none.
 */
function authorOf(article: Element): PostCard['author'] {
  const links = ownerLinks(article);
  const url = siteLinkOrNull(attr(links[0] ?? null, 'href'));
  const name = links.map(line).find((text) => text !== null) ?? null;
  return url === null && name === null ? null : { name, url };
}

/** Name of the person or company in whose feed a card stands. */
function ownerOf(article: Element): string | null {
  return pageOfUrl(attr(one(article, card.owner), 'href') ?? '')?.vanity ?? null;
}

/** The cards of a feed, in order. Throws `platform_changed` where one says that it stands in the feed of another. */
export function readCards(tree: Tree, owner: string | null): PostCard[] {
  const articles = all(tree, card.article);
  const other = articles.map(ownerOf).find((one) => one !== null && owner !== null && one !== owner);
  if (other === undefined) return articles.map(readCard);
  throw new ExtractError('platform_changed', `The posts are those of ${other}, not of ${owner}.`);
}

/** True where one of the cards says in whose feed they stand. */
export const sayOwner = (tree: Tree) => all(tree, card.article).some((article) => ownerOf(article) !== null);
