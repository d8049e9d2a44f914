import { ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
import { idOrNull, intOrNull } from '../../read/convert.js';
import type { Located } from '../../read/item-source.js';
import { anywhere, at } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { sourceOfItem } from './item-sources.js';
import type { ShortvideoVideo } from './objects.js';
import { isMissing, isPrivate, refuseByCode } from './outcome.js';
import { type ScopeNames, scopeOf } from './scope.js';
import { twinCount } from './twin-counts.js';
import { readItem } from './video-item.js';
import { saysMissing } from './withheld-words.js';

const videoScopes: ScopeNames = {
  scopes: ['webapp.video-detail', 'webapp.reflow.video.detail'],
  apiData: 'videoDetail',
};

/** Every video has one of these. A page without all of them has no data of the video. */
function hasContent({ create_time, view_count, like_count, comment_count, share_count }: ShortvideoVideo) {
  return [create_time, view_count, like_count, comment_count, share_count].some((value) => value !== null);
}

/** True for codes of a video that exists for others; like “no such thing”, they come without data. */
const isClosed = (code: number) => isMissing(code) || isPrivate(code);

/** True if a scope contains the video, under any name. */
const holdsVideo = (detail: unknown, id: string) =>
  anywhere(detail, (value) => idOrNull(at(value, 'id')) === id && hasContent(readItem(value, id)));

interface FoundVideo extends Located<ShortvideoVideo> {
  /** The page's count of its author's videos. */
  readonly ofAuthor: number | null;
}

/**
 * Reads a video from its page; null if the page says that there is no such video. Source:
 * `webapp.video-detail.itemInfo.itemStruct`, 2026-09, or on pages for mobile clients the same below
 * `webapp.reflow.video.detail`, 2026-01, or below `videoDetail` of the script `api-data`, 2026. Throws every refusal
 * that the page may be. A video for adults may come without its file (`isContentClassified`): the answer is the part
 * that the page has or, without any, `platform_restricted`.
 */
export function readVideoPage(page: Page, id: string): FoundVideo | null {
  const detail = scopeOf(page, videoScopes);
  const item = at(detail, 'itemInfo', 'itemStruct');
  const ownId = idOrNull(at(item, 'id'));
  const code = intOrNull(at(detail, 'statusCode'));
  const status = ownId === null ? requireValue(code, 'a status code') : (code ?? 0);
  const isSaidMissing = status !== 0 && saysMissing(at(detail, 'statusMsg'));
  if ((isSaidMissing || isClosed(status)) && holdsVideo(detail, id)) {
    throw refusal(
      'unknown_layout',
      `The page contains the video, but reports status code ${status}, as for hidden videos.`,
    );
  }
  if (isSaidMissing || isMissing(status)) return null;
  refuseByCode(status, 'video_not_found', '');
  if (requireValue(ownId, 'the ID of its video') !== id) {
    throw new ExtractError('platform_changed', `The page is about the video ${ownId}, not about ${id}.`);
  }
  const video = readItem(item, id);
  if (hasContent(video)) {
    const ofAuthor = twinCount(
      [at(item, 'authorStatsV2', 'videoCount')],
      [at(item, 'authorStats', 'videoCount')],
    );
    return { item: video, source: sourceOfItem(item, id), ofAuthor: ofAuthor?.count ?? null };
  }
  if (at(item, 'isContentClassified') === true) {
    throw new ExtractError(
      'platform_restricted',
      'The platform shows this video only to adults who are signed in.',
    );
  }
  const { id: _, ...facts } = video;
  if (Object.values(facts).every((value) => value === null)) {
    throw refusal('subject_without_data', 'The platform served the ID of the video and withheld the rest.');
  }
  throw refusal('unknown_layout', 'The page lacks the time and the counts of its video.');
}
