import { ExtractError } from '../../errors/extract-error.js';
import { isoFromText, numberOrNull, urlOrNull } from '../../read/convert.js';
import { cut } from '../../read/html.js';
import { treeOf } from '../../read/html-tree.js';
import { at } from '../../read/json.js';
import type { Page } from '../../web/page-source.js';
import { activityIdOf } from './activity-id.js';
import { readCards } from './feed-card.js';
import { isA, many, pagesOf, type Thing, thingsOf } from './json-ld.js';
import { bodyOf, describedPosts, enrichPost } from './json-ld-posts.js';
import type { PronetworkPost } from './objects.js';
import { accept, pageKinds, refuseCutOff, refuseWithoutElement } from './outcome.js';
import type { PostCard } from './post-card.js';
import { postSections } from './post-selectors.js';
import { pageOfUrl } from './urls.js';

/** "PT1M5.2S" → seconds. */
function seconds(value: unknown): number | null {
  const parts = /^P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(
    typeof value === 'string' ? value : '',
  );
  if (parts === null || parts.slice(1).every((part) => part === undefined)) return null;
  const [days = 0, hours = 0, minutes = 0, rest = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + rest;
}

/** Returns an address that may be a string, in a list, or inside an object. */
const firstUrl = (value: unknown) => {
  const [first] = many(value);
  return urlOrNull(first) ?? urlOrNull(at(first, 'url')) ?? urlOrNull(at(first, 'contentUrl'));
};

function videoOf(thing: Thing, video: PronetworkPost['video']): PronetworkPost['video'] {
  if (!isA(thing, 'VideoObject')) return video;
  return {
    url: video?.url ?? urlOrNull(at(thing, 'contentUrl')),
    thumbnail_url: video?.thumbnail_url ?? firstUrl(at(thing, 'thumbnailUrl')),
    duration: numberOrNull(seconds(at(thing, 'duration'))),
  };
}

/** Returns all pictures: a card shows five at most, the JSON-LD has every one. */
function imagesOf(thing: Thing, images: PronetworkPost['images']): PronetworkPost['images'] {
  const urls = many(at(thing, 'image'))
    .map(firstUrl)
    .filter((url) => url !== null);
  if (images.length === 0 || urls.length <= images.length) return images;
  return [...new Set(urls)].map((url) => ({ url, width: null, height: null }));
}

/** Returns the JSON-LD of a post under its share's number, which cards lack: author and text match the card's. */
function shareOf({ author, post }: PostCard, described: ReadonlyMap<string, Thing>): Thing | undefined {
  const [thing, ...others] = described.values();
  if (thing === undefined || others.length > 0) return undefined;
  const handle = pageOfUrl(author?.url ?? '')?.vanity;
  const isAuthor = many(at(thing, 'author')).some((one) =>
    pagesOf(one).some(({ vanity }) => vanity === handle),
  );
  const [start, fullStart] = [post.text, bodyOf(thing)].map((text) =>
    text?.replace(/\s+/g, ' ').slice(0, 40),
  );
  return isAuthor && (start === undefined || fullStart === undefined || start === fullStart)
    ? thing
    : undefined;
}

/**
 * Reads the post that a post's own page is about (2024-2026): the card with that number, completed by the page's
 * JSON-LD. If the page identifies itself by a share, whose number differs from the activity's, it is the first card.
 * Throws `platform_changed` for a page about a post other than `id`.
 */
export function readPostPage(page: Page, id: string): PronetworkPost {
  const acceptedPage = accept(page, pageKinds.post);
  const { html, head } = acceptedPage;
  const parts = cut(html, postSections);
  const worthReading = parts.card.filter((text, at) => at === 0 || text.includes(id));
  const cards = readCards(treeOf(worthReading.join('')), null);
  const [first] = cards;
  if (first === undefined) refuseWithoutElement(page, acceptedPage, 'a post');
  refuseCutOff(html);
  const described = describedPosts(thingsOf(parts.ld));
  const isNamed = head.addresses.map(activityIdOf).includes(id);
  const card = cards.find((one) => one.id === id) ?? (isNamed ? first : undefined);
  if (card === undefined) {
    throw new ExtractError('platform_changed', `The page is about a post other than ${id}.`);
  }
  const thing = described.get(id) ?? (isNamed ? shareOf(card, described) : undefined);
  const { post } = enrichPost({ ...card, id }, new Map(thing === undefined ? [] : [[id, thing]]));
  if (thing === undefined) return post;
  return {
    ...post,
    published_at: post.published_at ?? isoFromText(at(thing, 'datePublished')),
    video: videoOf(thing, post.video),
    images: imagesOf(thing, post.images),
  };
}
