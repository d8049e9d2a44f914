import { ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
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

/** Subjects of embed pages, with the statuses that mean, without a state, that they do not exist. */
type Subject = 'hashtag' | 'account' | 'video';
const missingStatuses: Readonly<Record<Subject, readonly number[]>> = {
  hashtag: [404, 410],
  // Reported by two clients for accounts and videos (2026). If the page were removed, all of them would be 404.
  account: [400],
  video: [400],
};

const ofStatus = (status: number, subject: Subject) =>
  missingStatuses[subject].includes(status) ? null : undefined;

/** Normalises a path for comparison; a state may decode what addresses encode. */
const normalPath = (path: string) =>
  new URL(path.normalize('NFC').toLowerCase(), home).pathname.toLowerCase().replace(/\/$/, '');

/** Throws the meaning of an error instead of an entry, unless that is "does not exist". */
function ofError(node: unknown): null | undefined {
  // For a deleted account, according to one client's tests (2026); the code next to it, 10000, means a captcha
  // elsewhere.
  if (at(node, 'errorStatus') === 404) return null;
  const code = intOrNull(at(node, 'errorCode'));
  if (code === null) return undefined;
  if (!isMissing(code)) refuseByCode(code, 'platform_changed', '');
  return null;
}

/**
 * Returns the entry in an embed page's state for the requested path (`source.data["/embed/…"]`, 2026-09). Null if the
 * page says that it does not exist. Undefined if it has nothing to embed, which can have several reasons.
 */
export function embedNode(page: Page, path: string, subject: Subject): unknown {
  refuse(page);
  const json = scriptById(page.text(), '__FRONTITY_CONNECT_STATE__');
  if (json === null)
    return emptyStatuses.has(page.status) ? ofStatus(page.status, subject) : refuseWithoutData(page);
  const data = at(parseJson(json, 'The state of the embed page'), 'source', 'data');
  const entries = Object.entries(data ?? {}).filter(([key]) => key.startsWith('/embed/'));
  const node = entries.find(([key]) => normalPath(key) === normalPath(path))?.[1];
  if (node === null || typeof node !== 'object') {
    if (emptyStatuses.has(page.status)) return ofStatus(page.status, subject);
    const hint = entries.length > 0 ? `, and with that of ${entries[0]?.[0].slice(0, 120)}` : '';
    throw new ExtractError('platform_changed', `The embed page lacks its entry${hint}.`);
  }
  return at(node, 'isError') === true ? ofError(node) : node;
}

/** The error for a subject whose embed page shows nothing, for whatever reason. */
export const notShown = (what: string) =>
  refusal('subject_without_data', `The platform does not show ${what} on other sites, and does not say why.`);

/** Reads an entry of an embed list, which has exactly these five fields of a video (2026-09). */
function listedVideo(item: unknown): Located<ShortvideoVideo> {
  const id = requireValue(idOrNull(at(item, 'id')), 'the ID of a video');
  if (!isVideoId(id))
    throw new ExtractError('platform_changed', 'The list contains a video without a valid ID.');
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

/** At most one per video. */
export const listedAuthors = (node: unknown): readonly string[] =>
  listAt(node, 'videoList').flatMap((item) => textOrNull(at(item, 'authorUniqueId')) ?? []);

/**
 * Returns the videos of an embed page's entry, each once. A pinned one may be both at the top and at its own position.
 */
export function listedVideos(node: unknown): readonly Located<ShortvideoVideo>[] {
  const list = at(node, 'videoList');
  if (!Array.isArray(list)) throw new ExtractError('platform_changed', 'The embed page lacks its list.');
  return [
    ...new Map(
      list.map((item: unknown) => listedVideo(item)).map((video) => [video.item.id, video]),
    ).values(),
  ];
}
