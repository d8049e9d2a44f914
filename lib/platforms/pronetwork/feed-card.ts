import { ExtractError } from '../../errors/extract-error.js';
import { all, attr, type Element, firstElement, line, type Tree, verbatim } from '../../read/html-tree.js';
import { activityIdOf, postUrnOf } from './activity-id.js';
import { siteLinkOrNull } from './links.js';
import { type PostCard, postCard } from './post-card.js';
import { countsOf } from './post-counts.js';
import { mediaOf } from './post-media.js';
import { card } from './post-selectors.js';
import { pageOfUrl } from './urls.js';

/**
 * Reads a card of a company's feed. Its number is the activity's. A repost has its own number, while its text is the
 * original's or the words added to it.
 */
function readCard(article: Element): PostCard {
  const around = article.parent as Tree | null;
  const permalink = siteLinkOrNull(attr(firstElement(around, card.link), 'href'));
  const id = activityIdOf(attr(article, 'data-activity-urn')) ?? activityIdOf(permalink);
  const post = {
    text: verbatim(firstElement(article, card.text)) ?? verbatim(firstElement(article, card.quoted)),
    ...mediaOf(article),
    ...countsOf(article),
  };
  const address =
    permalink ?? (id === null ? null : `https://www.linkedin.com/feed/update/urn:li:activity:${id}`);
  const urn = postUrnOf(attr(article, 'data-activity-urn')) ?? postUrnOf(permalink);
  return postCard(post, { id, permalink: address, urn, author: authorOf(article), partial: partOf(article) });
}

/** Pictures after the fifth are only counted. */
const partOf = (article: Element): PostCard['partial'] =>
  firstElement(article, card.hiddenImages) === null ? [] : ['images'];

function ownerLinks(article: Element): readonly Element[] {
  const links = all(article, card.owner);
  const first = attr(links[0] ?? null, 'href');
  const owner = pageOfUrl(first ?? '')?.vanity;
  return links.filter((link) => pageOfUrl(attr(link, 'href') ?? '')?.vanity === owner);
}

/**
 * Returns a post's author or reposter: the address, and the name from the link that has one, because the picture's link
 * does not.
 */
function authorOf(article: Element): PostCard['author'] {
  const links = ownerLinks(article);
  const url = siteLinkOrNull(attr(links[0] ?? null, 'href'));
  const name = links.map(line).find((text) => text !== null) ?? null;
  return url === null && name === null ? null : { name, url };
}

function ownerOf(article: Element): string | null {
  return pageOfUrl(attr(firstElement(article, card.owner), 'href') ?? '')?.vanity ?? null;
}

/** Reads the cards of a feed, in order. Throws `platform_changed` if one belongs to another feed. */
export function readCards(tree: Tree, owner: string | null): PostCard[] {
  const articles = all(tree, card.article);
  const other = articles.map(ownerOf).find((one) => one !== null && owner !== null && one !== owner);
  if (other === undefined) return articles.map(readCard);
  throw new ExtractError('platform_changed', `The posts are by ${other}, not by ${owner}.`);
}

/** True if one of the cards says whose feed this is. */
export const sayOwner = (tree: Tree) => all(tree, card.article).some((article) => ownerOf(article) !== null);
