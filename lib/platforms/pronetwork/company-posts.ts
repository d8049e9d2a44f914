import { ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
import { cut } from '../../read/html.js';
import { treeOf } from '../../read/html-tree.js';
import type { Page } from '../../web/page-source.js';
import { activityIdOf } from './activity-id.js';
import { readCards, sayOwner } from './feed-card.js';
import { thingsOf } from './json-ld.js';
import { describedPosts, enrichPost } from './json-ld-posts.js';
import { accept, acceptItems, isBlank, pageKinds, refuseCutOff, refuseWithoutElement } from './outcome.js';
import { codeIn } from './page-code.js';
import { refuseTwoSubjects, requireIdentity } from './page-head.js';
import type { PostCard } from './post-card.js';
import { feedFragment, feedSections } from './post-selectors.js';
import type { PageName } from './urls.js';

/** How to request the next posts of a company: its name and number, and the page's token. */
export interface Source {
  readonly owner: string;
  readonly organisation: string;
  readonly token: string | null;
}

/** Posts on a company's page, usually ten, and where more are. */
export interface FirstPosts {
  readonly posts: PostCard[];
  readonly more: Source | null;
  /** True if the complete page mentions no post. */
  readonly end: boolean;
}

/** The page ends its list with the path of the next posts. A token follows, or is in the path (2026-09). */
function sourceIn(html: string, owner: string): Source | null {
  const base = codeIn(html, 'feedUpdatesBaseUrl');
  if (typeof base !== 'string' || !URL.canParse(base, 'https://www.linkedin.com')) return null;
  const url = new URL(base, 'https://www.linkedin.com');
  const organisation = /^\/organization-guest\/api\/feedUpdates\/([\w.-]{1,80})$/.exec(url.pathname)?.[1];
  if (organisation === undefined) return null;
  const embeddedToken = codeIn(html, 'paginationToken');
  const token =
    url.searchParams.get('paginationToken') ?? (typeof embeddedToken === 'string' ? embeddedToken : null);
  return { owner, organisation, token: token === '' || (token?.length ?? 0) > 600 ? null : token };
}

/**
 * Reads the posts on a company's page. A page without the section hides them, or has none: the list is empty if no post
 * is mentioned elsewhere on it.
 */
export function readCompanyPosts(page: Page, requested: PageName): FirstPosts {
  const acceptedPage = accept(page, pageKinds.company);
  const { html, head } = acceptedPage;
  const parts = cut(html, feedSections);
  if (parts.top.length === 0) refuseWithoutElement(page, acceptedPage, 'the name of a company');
  refuseCutOff(html);
  refuseTwoSubjects(parts.top);
  const things = thingsOf(parts.ld);
  const { vanity } = requireIdentity(page, head, requested, things);
  const described = describedPosts(things);
  const posts = parts.updates.flatMap((section) => readCards(treeOf(section), vanity));
  const more = sourceIn(html, vanity);
  const end = more === null && activityIdOf(html) === null;
  return { posts: posts.map((one) => enrichPost(one, described)), more, end };
}

/**
 * Reads the posts in a continuation fragment, which only the cards attribute to a company; null at the end of the list.
 * Throws `platform_changed` for a list without posts.
 */
export function readMorePosts(page: Page, owner: string, isFirst: boolean): readonly PostCard[] | null {
  const items = acceptItems(page, pageKinds.updates, isFirst);
  // The page has just announced posts here.
  if (items === null && (isFirst || isBlank(page))) {
    throw refusal('shell', 'The platform answered with an empty list of posts, its way of refusing.');
  }
  if (items === null) return null;
  const tree = treeOf(cut(items.html, feedFragment).item.join(''));
  const posts = readCards(tree, owner);
  if (posts.length === 0) throw refusal('unknown_layout', 'The items of the list are not posts.');
  if (sayOwner(tree)) return posts;
  throw new ExtractError('platform_changed', `The posts do not name ${owner} as their author.`);
}
