import { ExtractError } from '../../errors/extract-error.js';
import { countOrNull, idOrNull, textOrNull, urlOrNull } from '../../read/convert.js';
import { at, parseJson, scriptById } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import type { ShortvideoVideo } from './objects.js';
import { refuse, refuseWithoutData } from './outcome.js';
import { isVideoId } from './urls.js';

/** Statuses with which embed pages say that there is no such thing (2026-09). */
const goneStatuses: ReadonlySet<number> = new Set([400, 404, 410]);

/**
 * What an embed page is about: the entry of its state under its own path (`source.data["/embed/…"]`, 2026-09).
 * Null where the page says that there is nothing to embed, which can have several reasons.
 */
export function embedNode(page: Page): unknown {
  refuse(page);
  const json = scriptById(page.text(), '__FRONTITY_CONNECT_STATE__');
  if (json === null) return goneStatuses.has(page.status) ? null : refuseWithoutData(page);
  const data = at(parseJson(json, 'The state of the embed page'), 'source', 'data');
  const node = Object.entries(data ?? {}).find(([key]) => key.startsWith('/embed/'))?.[1];
  if (node === null || typeof node !== 'object') {
    if (goneStatuses.has(page.status)) return null;
    throw new ExtractError('platform_changed', 'The embed page came without its entry.');
  }
  return at(node, 'isError') === true ? null : node;
}

/** Entry of an embed list → object. It has these five fields of a video, and not one more (2026-09). */
function listedVideo(item: unknown): ShortvideoVideo {
  const id = requireValue(idOrNull(at(item, 'id')), 'the id of a video');
  if (!isVideoId(id)) throw new ExtractError('platform_changed', 'The list names a video by what is no id.');
  return {
    id,
    video_description: textOrNull(at(item, 'desc')),
    create_time: null,
    duration: null,
    cover_image_url: urlOrNull(at(item, 'coverUrl')) ?? urlOrNull(at(item, 'originCoverUrl')),
    view_count: countOrNull(at(item, 'playCount')),
    like_count: null,
    comment_count: null,
    share_count: null,
    favorites_count: null,
    hashtag_names: null,
    sound: null,
    play_url: urlOrNull(at(item, 'playAddr')),
  };
}

/** The videos of an embed page's entry, each once. A pinned one may stand at the top and in its place. */
export function listedVideos(node: unknown): readonly ShortvideoVideo[] {
  const list = at(node, 'videoList');
  if (!Array.isArray(list))
    throw new ExtractError('platform_changed', 'The embed page came without its list.');
  return [
    ...new Map(list.map((item: unknown) => listedVideo(item)).map((video) => [video.id, video])).values(),
  ];
}
