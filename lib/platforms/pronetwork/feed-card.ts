import { all, attr, type Element, one, type Tree, verbatim } from '../../read/html-tree.js';
import { activityIdOf } from './activity-id.js';
import { siteLinkOrNull } from './links.js';
import { type PostCard, postCard } from './post-card.js';
import { countsOf } from './post-counts.js';
import { mediaOf } from './post-media.js';
import { card } from './post-selectors.js';

/**
 * A card of a company's feed. Its number is that of the activity. Of a repost the repost's own, while its text is the
 * original's, or the words put above it.
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
  return postCard(post, { id, permalink: address, lacks: one(article, card.hiddenImages) !== null });
}

/** The cards of a feed, in order. */
export const readCards = (tree: Tree): PostCard[] => all(tree, card.article).map(readCard);
