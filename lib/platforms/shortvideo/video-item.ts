import { boolOrNull, idOrNull, isoFromUnix, numberOrNull, textOrNull } from '../../read/convert.js';
import { at, listAt } from '../../read/json.js';
import { firstUrl } from './first-url.js';
import { hashtagsIn, isHashtag, namesIn, namesInParts } from './hashtags.js';
import type { ShortvideoVideo } from './objects.js';
import { twinCount } from './twin-counts.js';

/** Seconds; the platform writes 0 without a duration (photo posts). */
export function secondsOrNull(value: unknown): number | null {
  const seconds = numberOrNull(value);
  return seconds !== null && seconds > 0 ? seconds : null;
}

function sound(music: unknown): ShortvideoVideo['sound'] {
  const seconds = secondsOrNull(at(music, 'duration'));
  const item = {
    id: idOrNull(at(music, 'id')),
    title: textOrNull(at(music, 'title')),
    author: textOrNull(at(music, 'authorName')),
    is_original: boolOrNull(at(music, 'original')),
    duration: seconds === null ? null : Math.round(seconds),
  };
  return Object.values(item).every((value) => value === null) ? null : item;
}

/**
 * Reads an item of the platform's web pages (`itemStruct`, 2026-09). Its id is passed in, because `video.id` was a
 * different one for years. Counts appear twice, as strings in `statsV2` and as numbers in `stats`; from 10,000 up both
 * are rounded to hundreds at the source. A photo post has a video of 0 seconds without an address.
 */
export function readItem(item: unknown, id: string): ShortvideoVideo {
  const video = at(item, 'video');
  const cover = at(item, 'imagePost', 'cover', 'imageURL', 'urlList', 0);
  const count = (key: string) =>
    twinCount([at(item, 'statsV2', key)], [at(item, 'stats', key)])?.count ?? null;
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
    hashtag_names: hashtagsIn(
      namesIn(at(item, 'challenges'), 'title', () => true),
      namesIn(at(item, 'textExtra'), 'hashtagName', isHashtag),
      // Photo posts list theirs here alone (2026-09).
      namesInParts(at(item, 'contents')) ?? (at(item, 'imagePost') == null ? undefined : null),
    ),
    sound: sound(at(item, 'music')),
    play_url: firstUrl(
      at(video, 'playAddr'),
      at(video, 'PlayAddrStruct', 'UrlList', 0),
      ...listAt(video, 'bitrateInfo').map((rate) => at(rate, 'PlayAddr', 'UrlList', 0)),
    ),
  };
}
