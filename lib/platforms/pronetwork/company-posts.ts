import { cut } from '../../read/html.js';
import { treeOf } from '../../read/html-tree.js';
import type { Page } from '../../web/page-source.js';
import { readCards } from './feed-card.js';
import { thingsOf } from './json-ld.js';
import { describedPosts, enrichPost } from './json-ld-posts.js';
import { accept, acceptItems, expected, refuseCutOff, refuseWithoutElement } from './outcome.js';
import { codeIn } from './page-code.js';
import { refuseOtherIdentity } from './page-head.js';
import type { PostCard } from './post-card.js';
import { feedFragment, feedSections } from './post-selectors.js';
import type { PageName } from './urls.js';

/** The next posts of a company: its number, and the page's token for them. */
export interface Source {
  readonly organisation: string;
  readonly token: string | null;
}

/** Posts on a company's page, ten as a rule, and where more are. */
export interface FirstPosts {
  readonly posts: PostCard[];
  readonly more: Source | null;
}

/** The page ends its list with the path of the next posts. A token follows, or is in the path (2026-09). */
function sourceIn(html: string): Source | null {
  const base = codeIn(html, 'feedUpdatesBaseUrl');
  if (typeof base !== 'string' || !URL.canParse(base, 'https://www.linkedin.com')) return null;
  const url = new URL(base, 'https://www.linkedin.com');
  const organisation = /^\/organization-guest\/api\/feedUpdates\/([\w.-]{1,80})$/.exec(url.pathname)?.[1];
  if (organisation === undefined) return null;
  const beside = codeIn(html, 'paginationToken');
  const token = url.searchParams.get('paginationToken') ?? (typeof beside === 'string' ? beside : null);
  return { organisation, token: token === '' || (token?.length ?? 0) > 600 ? null : token };
}

/** Posts on a company's page. A page without the section hides them, or has none: that is an empty list. */
export function readCompanyPosts(page: Page, requested: PageName): FirstPosts {
  const accepted = accept(page, expected.company);
  const { html, head } = accepted;
  const parts = cut(html, feedSections);
  if (parts.top.length === 0) refuseWithoutElement(page, accepted, 'the name of a company');
  refuseCutOff(html);
  refuseOtherIdentity(page, head, requested);
  const described = describedPosts(thingsOf(parts.ld));
  const posts = parts.updates.flatMap((section) => readCards(treeOf(section)));
  return { posts: posts.map((one) => enrichPost(one, described)), more: sourceIn(html) };
}

/** Posts in a fragment that follows; null at the end of the list. */
export function readMorePosts(page: Page, isFirst: boolean): PostCard[] | null {
  const accepted = acceptItems(page, expected.company, isFirst);
  if (accepted === null) return null;
  return readCards(treeOf(cut(accepted.html, feedFragment).item.join('')));
}
