import type { EmptyProof } from '../../read/empty-proof.js';
import { cut } from '../../read/html.js';
import { treeOf } from '../../read/html-tree.js';
import type { Page } from '../../web/page-source.js';
import { readList, readTab } from './activity.js';
import { activityIdOf } from './activity-id.js';
import { thingsOf } from './json-ld.js';
import { describedPosts, enrichPost, postsOf } from './json-ld-posts.js';
import { accept, pageKinds, refuseCutOff, refuseMissingProfile } from './outcome.js';
import { refuseTwoSubjects, requireIdentity } from './page-head.js';
import type { PostCard } from './post-card.js';
import { activitySections } from './post-selectors.js';
import type { PageName } from './urls.js';

const isCutOff = (text: string | null) => text !== null && /(?:…|\.\.\.)$/.test(text);

/** Posts on a person's page, and the proof if there are none. */
export interface ProfilePosts {
  readonly posts: readonly PostCard[];
  readonly emptyProof: EmptyProof;
}

/**
 * Reads all posts on a person's page, which has no further pages. From the tab of posts or the two lists of activity,
 * each post completed by its JSON-LD.
 */
export function readProfilePosts(page: Page, requested: PageName): ProfilePosts {
  const acceptedPage = accept(page, pageKinds.profile);
  const { html, head } = acceptedPage;
  const parts = cut(html, activitySections);
  const missing = parts.missing.length + parts.missingSection.length > 0;
  refuseMissingProfile(page, acceptedPage, requested, { missing, top: parts.top.length > 0 });
  refuseCutOff(html);
  refuseTwoSubjects(parts.top);
  const things = thingsOf(parts.ld);
  const { vanity } = requireIdentity(page, head, requested, things);
  const described = describedPosts(things);
  const lists = parts.list.map((section) => readList(treeOf(section), [vanity, requested.vanity]));
  const shownPosts = [
    ...parts.tab.flatMap((panel) => readTab(treeOf(panel))),
    ...lists.flatMap(({ posts }) => posts),
  ];
  const unique = [...new Map(shownPosts.map((post) => [post.key, post])).values()];
  const leftOut = lists.reduce((sum, { others: hiddenCount }) => sum + hiddenCount, 0);
  // A complete page that mentions no post shows none.
  const emptyProof = { end: activityIdOf(html) === null, leftOut };
  if (shownPosts.length === 0) return { posts: postsOf(described, [vanity, requested.vanity]), emptyProof };
  const posts = unique.map((one) => {
    const fullPost = enrichPost(one, described);
    // A listed post with complete JSON-LD needs no request for its own page.
    const isComplete = fullPost.post.reaction_count !== null && !isCutOff(fullPost.post.text);
    return parts.tab.length === 0 && isComplete ? { ...fullPost, partial: [] } : fullPost;
  });
  return { posts, emptyProof };
}
