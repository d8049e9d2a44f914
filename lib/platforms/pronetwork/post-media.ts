import { intOrNull, numberOrNull, textOrNull, urlOrNull } from '../../read/convert.js';
import { all, attr, type Element, firstElement, line, type Tree } from '../../read/html-tree.js';
import { at, parseJson } from '../../read/json.js';
import { wordedCount } from '../../read/worded-count.js';
import { pages as pageWords } from './counted-words.js';
import { linkOrNull } from './links.js';
import type { PronetworkPost } from './objects.js';
import { card } from './post-selectors.js';

export type Media = Pick<PronetworkPost, 'images' | 'video' | 'document' | 'article'>;

/** Returns the address of a picture, which scripts fill in later. */
export const pictureOf = (image: Element | null): string | null =>
  urlOrNull(attr(image, 'data-delayed-url')) ?? urlOrNull(attr(image, 'src'));

function jsonIn(element: Element | null, name: string): unknown {
  try {
    return parseJson(attr(element, name) ?? '', 'An attribute of the page');
  } catch {
    return undefined;
  }
}

/** Paths of the pictures of linked articles, which are not pictures of the post (2024-2026). */
const isOfArticle = (url: string) => /\/article(?:share|-cover)[-_]/.test(url);

/** Paths of the pictures of posts (2023-04 to 2026-07); previews of documents and videos have others. */
const isOfPost = (url: string | null) => url !== null && /\/feedshare-(?:shrink|image)/.test(url);

/** Returns the pictures of a post by their paths, for pages whose box around them has changed. */
export const picturesIn = (tree: Tree): readonly Element[] =>
  all(tree, 'img').filter((image) => isOfPost(pictureOf(image)));

/** Returns each picture once. */
export function imagesOf(images: readonly Element[]): Media['images'] {
  const urls = new Set(images.map(pictureOf).filter((url) => url !== null && !isOfArticle(url)) as string[]);
  return [...urls].map((url) => ({ url, width: null, height: null }));
}

function bestSource(sources: unknown): string | null {
  let best: string | null = null;
  let maxBitrate = -1;
  for (const source of Array.isArray(sources) ? sources : []) {
    const url = urlOrNull(at(source, 'src'));
    const bitrate = numberOrNull(at(source, 'data-bitrate')) ?? 0;
    if (url === null || bitrate <= maxBitrate) continue;
    best = url;
    maxBitrate = bitrate;
  }
  return best;
}

function videoOf(tree: Tree): Media['video'] {
  const box = firstElement(tree, card.video);
  const node = firstElement(box ?? tree, card.videoSources);
  if (box === null && node === null) return null;
  return {
    url: bestSource(jsonIn(node, 'data-sources')),
    thumbnail_url: urlOrNull(attr(node, 'data-poster-url')) ?? urlOrNull(attr(node, 'poster')),
    duration: null,
  };
}

/** Returns the document that a post shows page by page, or null. */
export function documentOf(tree: Tree): Media['document'] {
  const frame = firstElement(tree, card.document);
  if (frame === null) return null;
  const doc = at(jsonIn(frame, 'data-native-document-config'), 'doc');
  const pages =
    intOrNull(at(doc, 'totalPageCount')) ?? wordedCount(textOrNull(at(doc, 'subtitle')), null, pageWords);
  return {
    title: textOrNull(at(doc, 'title')),
    url: urlOrNull(at(doc, 'manifestUrl')),
    page_count: pages !== null && pages > 0 ? pages : null,
  };
}

export function articleLink(link: Element | null, title: string | null): Media['article'] {
  const url = linkOrNull(attr(link, 'href'));
  return link === null || url === null
    ? null
    : { title, url, thumbnail_url: pictureOf(firstElement(link, 'img')) };
}

function articleOf(tree: Tree): Media['article'] {
  const link = firstElement(tree, card.linked);
  if (link !== null) return articleLink(link, line(firstElement(link, card.linkedTitle)));
  const box = firstElement(tree, card.foreignVideo);
  const headings = firstElement(box, card.foreignVideoTitle) ?? firstElement(tree, card.foreignVideoTitle);
  const video = box?.name === 'a' ? box : (firstElement(headings, 'a') ?? firstElement(box, 'a'));
  return articleLink(video, line(firstElement(headings, 'h2, h3, span')) ?? line(headings));
}

export function mediaOf(tree: Tree): Media {
  const images = all(tree, card.images);
  return {
    images: imagesOf(images.length > 0 ? images : picturesIn(tree)),
    video: videoOf(tree),
    document: documentOf(tree),
    article: articleOf(tree),
  };
}
