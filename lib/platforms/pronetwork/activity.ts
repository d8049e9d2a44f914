import { all, attr, type Element, firstElement, line, type Tree, verbatim } from '../../read/html-tree.js';
import { requireValue } from '../../read/refusal.js';
import { activityIdOf } from './activity-id.js';
import { linkOrNull, siteLinkOrNull } from './links.js';
import type { PronetworkPost } from './objects.js';
import { blankPost, type PostCard, postCard } from './post-card.js';
import { countsOf } from './post-counts.js';
import { documentOf, imagesOf, type Media, pictureOf, picturesIn } from './post-media.js';
import { list, tab } from './post-selectors.js';
import { normalVanity } from './urls.js';

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
