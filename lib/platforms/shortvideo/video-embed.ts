import { ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
import { boolOrNull, countOrNull, idOrNull, isoFromUnix, textOrNull } from '../../read/convert.js';
import type { Located } from '../../read/item-source.js';
import { at, isRecord } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page, PageRequest } from '../../web/page-source.js';
import { embedNode, notShown } from './embed-state.js';
import { firstUrl } from './first-url.js';
import { hashtagsIn, namesIn } from './hashtags.js';
import { sourceOfVideo } from './item-sources.js';
import type { ShortvideoVideo } from './objects.js';
import { home } from './urls.js';
import { secondsOrNull } from './video-item.js';

/** What a video's embed page says of its account. */
interface EmbeddedAuthor {
  readonly username: string | null;
  readonly avatar_url: string | null;
  readonly follower_count: number | null;
  readonly likes_count: number | null;
  readonly video_count: number | null;
}

interface EmbeddedVideo extends Located<ShortvideoVideo> {
  readonly author: EmbeddedAuthor;
}

const pathOf = (id: string) => `/embed/v2/${id}`;

export const videoEmbed = (id: string): PageRequest => ({ url: home + pathOf(id) });

function soundOf(music: unknown): ShortvideoVideo['sound'] {
  const sound = {
    id: idOrNull(at(music, 'musicId')),
    title: textOrNull(at(music, 'musicName')),
    author: textOrNull(at(music, 'authorName')),
    is_original: boolOrNull(at(music, 'original')),
    duration: null,
  };
  return Object.values(sound).every((value) => value === null) ? null : sound;
}

/** Entries of `textExtra` that are hashtags; mentions have the type 0. */
const isHashtag = (entry: unknown) => at(entry, 'Type') === 1;

/**
 * Reads a video from its embed page, without the number of saves and the length of its sound. Source: `videoData` of
 * the page's state (2026-07 to 2026-10; its counts as two clients read them). Null if the page says that there is none,
 * which it does for deleted and for withheld videos.
 */
export function readVideoEmbed(page: Page, id: string): EmbeddedVideo | null {
  const node = embedNode(page, pathOf(id), 'video');
  if (node === null) return null;
  const data = at(node, 'videoData');
  if (!isRecord(data)) throw notShown('this video');
  const info = at(data, 'itemInfos');
  const ownId = requireValue(idOrNull(at(info, 'id')), 'the ID of its video');
  if (ownId !== id) {
    throw new ExtractError('platform_changed', `The page is about the video ${ownId}, not about ${id}.`);
  }
  const author = at(data, 'authorInfos');
  const pictures = at(data, 'imagePostInfo');
  const item = {
    id,
    video_description: textOrNull(at(info, 'text')),
    create_time: isoFromUnix(at(info, 'createTime')),
    duration: secondsOrNull(at(info, 'video', 'videoMeta', 'duration')),
    cover_image_url: firstUrl(
      at(info, 'covers', 0),
      at(info, 'coversOrigin', 0),
      at(pictures, 'displayImages', 0, 'urlList', 0),
      at(pictures, 'images', 0, 'imageURL', 'urlList', 0),
    ),
    view_count: countOrNull(at(info, 'playCount')),
    like_count: countOrNull(at(info, 'diggCount')),
    comment_count: countOrNull(at(info, 'commentCount')),
    share_count: countOrNull(at(info, 'shareCount')),
    favorites_count: null,
    hashtag_names: hashtagsIn(
      namesIn(at(data, 'challengeInfoList') ?? at(info, 'challengeInfoList'), 'challengeName', () => true),
      namesIn(at(data, 'textExtra') ?? at(info, 'textExtra'), 'HashtagName', isHashtag),
    ),
    sound: soundOf(at(data, 'musicInfos')),
    play_url: firstUrl(at(info, 'video', 'urls', 0)),
  };
  const { id: _, ...facts } = item;
  if (Object.values(facts).every((value) => value === null)) {
    throw refusal('subject_without_data', 'The platform served the ID of the video and withheld the rest.');
  }
  return {
    item,
    source: sourceOfVideo(
      id,
      { id: at(author, 'userId'), handle: at(author, 'uniqueId'), name: at(author, 'nickName') },
      isRecord(pictures),
    ),
    author: {
      username: textOrNull(at(author, 'uniqueId')),
      avatar_url: firstUrl(at(author, 'covers', 0)),
      follower_count: countOrNull(at(data, 'authorStats', 'followerCount')),
      likes_count: countOrNull(at(data, 'authorStats', 'heartCount')),
      video_count: countOrNull(at(data, 'authorStats', 'videoCount')),
    },
  };
}
