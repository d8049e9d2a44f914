import { ExtractError } from '../../errors/extract-error.js';
import { countOrNull, idOrNull, intOrNull, textOrNull, urlOrNull } from '../../read/convert.js';
import type { Located } from '../../read/item-source.js';
import { at, listAt, parseJson, scriptById } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { sourceOfListed } from './item-sources.js';
import type { ShortvideoVideo } from './objects.js';
import { isMissing, refuse, refuseByCode, refuseWithoutData } from './outcome.js';
import { home, isVideoId } from './urls.js';

/** Statuses of embed pages that have nothing to show (2026-09). */
const emptyStatuses: ReadonlySet<number> = new Set([400, 404, 410]);

/** 400 does not say why. */
const ofStatus = (status: number) => (status === 400 ? undefined : null);

/** A path in the form in which paths are compared: a state may spell out what addresses encode. */
const normalPath = (path: string) =>
  new URL(path.normalize('NFC').toLowerCase(), home).pathname.toLowerCase().replace(/\/$/, '');

/** An entry in place of which the page shows an error. Throws what its code says, other than that there is no such thing. */
function ofError(node: unknown): null | undefined {
  // Of an account that is gone, as one client's tests have it (2026); the code beside it, 10000, is a captcha's elsewhere.
  if (at(node, 'errorStatus') === 404) return null;
  const code = intOrNull(at(node, 'errorCode'));
  if (code === null) return undefined;
  if (!isMissing(code)) refuseByCode(code, 'platform_changed', '');
  return null;
}

/**
 * The entry of an embed page's state under the path that was asked for (`source.data["/embed/…"]`, 2026-09). Null where
 * the page says that there is no such thing. Undefined where it has nothing to embed, which can have several reasons.
 */
export function embedNode(page: Page, path: string): unknown {
  refuse(page);
  const json = scriptById(page.text(), '__FRONTITY_CONNECT_STATE__');
  if (json === null) return emptyStatuses.has(page.status) ? ofStatus(page.status) : refuseWithoutData(page);
  const data = at(parseJson(json, 'The state of the embed page'), 'source', 'data');
  const entries = Object.entries(data ?? {}).filter(([key]) => key.startsWith('/embed/'));
  const node = entries.find(([key]) => normalPath(key) === normalPath(path))?.[1];
  if (node === null || typeof node !== 'object') {
    if (emptyStatuses.has(page.status)) return ofStatus(page.status);
    const others = entries.length > 0 ? `, and with that of ${entries[0]?.[0].slice(0, 120)}` : '';
    throw new ExtractError('platform_changed', `The embed page came without its entry${others}.`);
  }
  return at(node, 'isError') === true ? ofError(node) : node;
}

/** Entry of an embed list → object. It has these five fields of a video, and not one more (2026-09). */
function listedVideo(item: unknown): Located<ShortvideoVideo> {
  const id = requireValue(idOrNull(at(item, 'id')), 'the ID of a video');
  if (!isVideoId(id)) throw new ExtractError('platform_changed', 'The list names a video by what is no ID.');
  const video = {
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
  return { item: video, source: sourceOfListed(item, id) };
}

/** Handles of the authors that the list of an embed page's entry names, one a video at most. */
export const listedAuthors = (node: unknown): readonly string[] =>
  listAt(node, 'videoList').flatMap((item) => textOrNull(at(item, 'authorUniqueId')) ?? []);

/** The videos of an embed page's entry, each once. A pinned one may stand at the top and in its place. */
export function listedVideos(node: unknown): readonly Located<ShortvideoVideo>[] {
  const list = at(node, 'videoList');
  if (!Array.isArray(list))
    throw new ExtractError('platform_changed', 'The embed page came without its list.');
  return [
    ...new Map(
      list.map((item: unknown) => listedVideo(item)).map((video) => [video.item.id, video]),
    ).values(),
  ];
}
