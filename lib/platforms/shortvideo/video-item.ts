import {
  boolOrNull,
  countOrNull,
  idOrNull,
  isoFromUnix,
  numberOrNull,
  textOrNull,
} from '../../read/convert.js';
import { at, listAt } from '../../read/json.js';
import { firstUrl } from './first-url.js';
import type { ShortvideoVideo } from './objects.js';

/** Seconds; the platform writes 0 where there is no duration (photo posts). */
function secondsOrNull(value: unknown): number | null {
  const seconds = numberOrNull(value);
  return seconds !== null && seconds > 0 ? seconds : null;
}

/** Names in a list: undefined where there is no list, null where a hashtag stands in it without its name. */
function namesIn(list: unknown, key: string, isHashtag: IsHashtag): readonly string[] | null | undefined {
  if (!Array.isArray(list)) return undefined;
  const nameless = list.filter((entry: unknown) => typeof at(entry, key) !== 'string');
  if (nameless.some(isHashtag) || (nameless.length > 0 && nameless.length === list.length)) return null;
  return list.flatMap((entry: unknown) => textOrNull(at(entry, key)) ?? []);
}

type IsHashtag = (entry: unknown) => boolean;

/** `textExtra` lists mentions, too, which have the type 0. */
const isHashtag: IsHashtag = (entry) => at(entry, 'type') === 1;

/** The names in the parts of a caption, which is read whole or not at all. */
function namesInParts(parts: unknown): readonly string[] | null | undefined {
  if (!Array.isArray(parts)) return undefined;
  const names = parts.map(
    (part: unknown) => namesIn(at(part, 'textExtra'), 'hashtagName', isHashtag) ?? null,
  );
  return names.every((list) => list !== null) ? names.flat() : null;
}

/**
 * Hashtags of a caption, lower case and each once. The page lists them up to three times; the first list that
 * holds some is taken. Null where no list is there at all, or one that cannot be read. The caption itself is not
 * searched: what stands after a # is not always a hashtag of the platform's.
 */
function hashtagNames(item: unknown): string[] | null {
  const lists = [
    namesIn(at(item, 'challenges'), 'title', () => true),
    namesIn(at(item, 'textExtra'), 'hashtagName', isHashtag),
    namesInParts(at(item, 'contents')),
  ];
  const names = lists.map((list) =>
    (list ?? []).map((name) => name.replace(/^#/, '').toLowerCase()).filter((name) => name !== ''),
  );
  const found = names.find((list) => list.length > 0);
  if (found !== undefined) return [...new Set(found)];
  return lists.includes(null) || lists.every((list) => list === undefined) ? null : [];
}

function sound(music: unknown): ShortvideoVideo['sound'] {
  const seconds = secondsOrNull(at(music, 'duration'));
  const found = {
    id: idOrNull(at(music, 'id')),
    title: textOrNull(at(music, 'title')),
    author: textOrNull(at(music, 'authorName')),
    is_original: boolOrNull(at(music, 'original')),
    duration: seconds === null ? null : Math.round(seconds),
  };
  return Object.values(found).every((value) => value === null) ? null : found;
}

/**
 * Item of the platform's web pages (`itemStruct`, 2026-09) → object. Its id is given, not read: `video.id` was another
 * one for years. Counts stand twice, as text in `statsV2` and as numbers in `stats`. From 10,000 up both are rounded to
 * hundreds at the source. A photo post has a video of 0 seconds without an address.
 */
export function readItem(item: unknown, id: string): ShortvideoVideo {
  const video = at(item, 'video');
  const cover = at(item, 'imagePost', 'cover', 'imageURL', 'urlList', 0);
  const count = (key: string) => countOrNull(at(item, 'statsV2', key)) ?? countOrNull(at(item, 'stats', key));
  return {
    id,
    video_description: textOrNull(at(item, 'desc')),
    create_time: isoFromUnix(at(item, 'createTime')),
    duration: secondsOrNull(at(video, 'duration')),
    cover_image_url: firstUrl(
      cover,
      at(video, 'cover'),
      at(video, 'originCover'),
      at(video, 'dynamicCover'),
      at(video, 'zoomCover', '960'),
    ),
    view_count: count('playCount'),
    like_count: count('diggCount'),
    comment_count: count('commentCount'),
    share_count: count('shareCount'),
    favorites_count: count('collectCount'),
    hashtag_names: hashtagNames(item),
    sound: sound(at(item, 'music')),
    play_url: firstUrl(
      at(video, 'playAddr'),
      at(video, 'PlayAddrStruct', 'UrlList', 0),
      ...listAt(video, 'bitrateInfo').map((rate) => at(rate, 'PlayAddr', 'UrlList', 0)),
    ),
  };
}
