import {
  boolOrNull,
  countOrNull,
  firstCount,
  isoFromUnix,
  textOrNull,
  urlOrNull,
} from '../../read/convert.js';
import type { Located } from '../../read/item-source.js';
import { requireValue } from '../../read/refusal.js';
import { sourceOfPost } from './item-sources.js';
import type { PhotosocialPost } from './objects.js';
import type { RawMedia, RawPost } from './post-shapes.js';
import { permalink } from './urls.js';

/** Removes web addresses from a caption, in which # and @ mean something else. */
const withoutLinks = (caption: string) => caption.replace(/https?:\/\/\S+/gi, ' ');

/**
 * Returns the hashtags of a caption: in lower case as the platform looks them up, each once, in order. They consist of
 * letters, marks, digits and the underscore, in every script.
 */
export function hashtagsOf(caption: string): string[] {
  const names = [...withoutLinks(caption).matchAll(/(?<!&)#([\p{L}\p{M}\p{N}_]{1,150})/gu)].map(
    ([, name = '']) => name.normalize('NFC').toLowerCase(),
  );
  return [...new Set(names)];
}

/** Returns the handles mentioned in a caption: in lower case, each once, in order. A final dot ends the sentence. */
export function mentionsOf(caption: string): string[] {
  const names = [
    ...withoutLinks(caption).matchAll(/(?<![\p{L}\p{M}\p{N}_])@([A-Za-z0-9._]{1,30})(?![A-Za-z0-9_])/gu),
  ].map(([, name = '']) => name.replace(/(?<!\.)\.+$/, ''));
  return [...new Set(names.filter((name) => name !== '').map((name) => name.toLowerCase()))];
}

/** A video's still picture is not its file. */
function media({ type, images, videos = [] }: RawMedia): {
  media_type: NonNullable<RawMedia['type']>;
  media_url: string | null;
} {
  const knownType = requireValue(type, 'the kind of a post');
  return {
    media_type: knownType,
    media_url:
      (knownType === 'VIDEO' ? videos : images).map((url) => urlOrNull(url)).find((url) => url !== null) ??
      null,
  };
}

/** A listing counts the parts of a carousel without listing any. */
const childrenOf = ({ children = [] }: RawPost) => (children.length > 0 ? children.map(media) : null);

const codeOrNull = (value: unknown) => {
  const code = textOrNull(value);
  return code !== null && /^[A-Za-z0-9_-]{1,64}$/.test(code) ? code : null;
};

/** Numbers shown as likes, next to -1, if the owner hides them. */
const standIns: ReadonlySet<number | null> = new Set([0, 3]);

/** Throws `platform_changed` without a shortcode or kind. */
export function postObject(raw: RawPost): PhotosocialPost {
  const shortcode = requireValue(codeOrNull(raw.shortcode), 'a shortcode');
  const caption = textOrNull(raw.caption);
  // A post without a caption has no hashtags; if the source omits the caption, they are unknown.
  const words = raw.caption === null || typeof raw.caption === 'string' ? (caption ?? '') : null;
  const hidden =
    raw.countsHidden === true || (raw.countsHidden === 'unsaid' && standIns.has(countOrNull(raw.likes)));
  const ownMedia = media(raw);
  return {
    shortcode,
    permalink: permalink(shortcode, textOrNull(raw.productType)),
    ...ownMedia,
    caption,
    timestamp: isoFromUnix(raw.takenAt),
    children: ownMedia.media_type === 'CAROUSEL_ALBUM' ? childrenOf(raw) : [],
    like_count: hidden ? null : countOrNull(raw.likes),
    comments_count: firstCount(...raw.comments),
    view_count: hidden || ownMedia.media_type !== 'VIDEO' ? null : firstCount(...(raw.views ?? [])),
    hashtags: words === null ? null : hashtagsOf(words),
    mentions: words === null ? null : mentionsOf(words),
    is_paid_partnership: boolOrNull(raw.paidPartnership) ?? (raw.sponsors?.length ? true : null),
    username: textOrNull(raw.username)?.toLowerCase() ?? null,
  };
}

/** Throws as `postObject` does. */
export function locatedPost(raw: RawPost): Located<PhotosocialPost> {
  const post = postObject(raw);
  return { item: post, source: sourceOfPost(post, raw) };
}
