import type { EmptyProof } from '../../read/empty-proof.js';
import { cut } from '../../read/html.js';
import {
  all,
  attr,
  type Element,
  firstElement,
  line,
  type Tree,
  treeOf,
  verbatim,
} from '../../read/html-tree.js';
import { requireValue } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { activityIdOf } from './activity-id.js';
import { thingsOf } from './json-ld.js';
import { describedPosts, enrichPost, postsOf } from './json-ld-posts.js';
import { linkOrNull, siteLinkOrNull } from './links.js';
import type { PronetworkPost } from './objects.js';
import { accept, pageKinds, refuseCutOff, refuseMissingProfile } from './outcome.js';
import { refuseTwoSubjects, requireIdentity } from './page-head.js';
import { blankPost, type PostCard, postCard } from './post-card.js';
import { countsOf } from './post-counts.js';
import { documentOf, imagesOf, type Media, pictureOf, picturesIn } from './post-media.js';
import { activitySections, list, tab } from './post-selectors.js';
import { normalVanity, type PageName } from './urls.js';

/** Paths of video covers (2026-07). */
const isCover = (url: string | null) => url !== null && /\/(?:videocover|thumbnail)[-/]/.test(url);

/** Returns the text of the post, or of the post inside a repost without words. */
function textOf(item: Element): string | null {
  const inner = firstElement(item, tab.nested);
  const quoted = inner === null ? [] : all(inner, tab.text);
  const ownText = all(item, tab.text).filter((text) => !quoted.includes(text));
  return verbatim(ownText[0] ?? null) ?? verbatim(quoted[0] ?? null);
}

/** Reads the media of a post in the tabs; a video only has its cover. */
function contentOf(item: Element, id: string | null, permalink: string | null): Media {
  const media = { images: [] as Media['images'], video: null, document: null, article: null } as {
    -readonly [K in keyof Media]: Media[K];
  };
  const boxes = all(item, tab.content);
  if (boxes.length === 0) media.images.push(...imagesOf(picturesIn(item)));
  for (const box of boxes) {
    const href = attr(firstElement(box, tab.contentLink), 'href');
    const picture = firstElement(box, tab.image);
    const document = documentOf(box);
    const url = linkOrNull(href);
    const leadsBack = url === null || url === permalink || (id !== null && activityIdOf(url) === id);
    if (document !== null) media.document ??= document;
    else if (!leadsBack)
      media.article ??= {
        title: line(firstElement(box, tab.contentTitle)),
        url,
        thumbnail_url: pictureOf(picture),
      };
    else if (firstElement(box, tab.play) !== null || isCover(pictureOf(picture)))
      media.video ??= { url: null, thumbnail_url: pictureOf(picture), duration: null };
    else media.images.push(...imagesOf(all(box, tab.image)));
  }
  return media;
}

/** Reads a person's posts in the tabs: complete, with counts. */
export function readTab(panel: Tree): PostCard[] {
  return all(panel, tab.items).map((item) => {
    const permalink = siteLinkOrNull(attr(firstElement(item, tab.link), 'href'));
    const id = activityIdOf(permalink);
    const content = contentOf(item, id, permalink);
    const post = { text: textOf(item), ...content, ...countsOf(item) };
    return postCard(post, { id, permalink, partial: content.video === null ? [] : ['video'] });
  });
}

/** True for a post under one of the person's own names. The list also shows what the person liked. */
function isByAccount(permalink: string, names: readonly string[]): boolean {
  const slug = normalVanity(/\/posts\/([^/]+)$/.exec(permalink)?.[1] ?? '');
  return slug !== null && names.some((name) => slug.startsWith(`${name}_`));
}

/** Reads the media item that a list shows for a post: its picture, or its video's cover. */
function visibleMedia(item: Element): Pick<PronetworkPost, 'images' | 'video'> {
  const picture = firstElement(item, list.image) ?? picturesIn(item)[0] ?? null;
  const url = pictureOf(picture);
  if (firstElement(item, list.play) !== null || isCover(url)) {
    return { images: [], video: { url: null, thumbnail_url: url, duration: null } };
  }
  const isPicture = url?.includes('/feedshare-') === true && !url.includes('/feedshare-document');
  return { images: isPicture && picture !== null ? imagesOf([picture]) : [], video: null };
}

/** A person's posts, and the number of others' posts in the list. */
interface Activity {
  readonly posts: readonly PostCard[];
  readonly others: number;
}

/**
 * Reads a person's activity list, with truncated texts and without counts. `names`: the person's current name in
 * addresses, and the requested one, which older posts may use.
 */
export function readList(section: Tree, names: readonly string[]): Activity {
  let others = 0;
  const posts = all(section, list.items).flatMap((item) => {
    const permalink = siteLinkOrNull(attr(firstElement(item, list.link), 'href'));
    if (!isByAccount(requireValue(permalink, 'the address of a post'), names)) {
      others += 1;
      return [];
    }
    const post = { ...blankPost, text: line(firstElement(item, list.text)), ...visibleMedia(item) };
    const partial = ['text', 'images', ...(post.video === null ? [] : ['video' as const])] as const;
    return [postCard(post, { id: activityIdOf(permalink), permalink, partial })];
  });
  return { posts, others };
}

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
