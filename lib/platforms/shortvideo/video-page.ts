import { ExtractError } from '../../errors/extract-error.js';
import { idOrNull, intOrNull } from '../../read/convert.js';
import { at } from '../../read/json.js';
import { required } from '../../read/required.js';
import type { Page } from '../../web/page-source.js';
import type { ShortvideoVideo } from './objects.js';
import { isMissing, refuseByCode } from './outcome.js';
import { scopeOf } from './scope.js';
import { readItem } from './video-item.js';

/** What every video has; a page that tells none of it tells nothing of the video. */
function isTold({ create_time, view_count, like_count, comment_count, share_count }: ShortvideoVideo) {
  return [create_time, view_count, like_count, comment_count, share_count].some((value) => value !== null);
}

/**
 * Video page → object, or null where the page says that there is no such video. Source:
 * `webapp.video-detail.itemInfo.itemStruct`, 2026-09. Throws every refusal that the page may be.
 * A video for adults may come without its file (`isContentClassified`): what the page tells of it is the
 * answer, and where that is nothing, it is `platform_restricted`.
 */
export function readVideo(page: Page, id: string): ShortvideoVideo | null {
  const detail = scopeOf(page, 'webapp.video-detail');
  const item = at(detail, 'itemInfo', 'itemStruct');
  const found = idOrNull(at(item, 'id'));
  const code = intOrNull(at(detail, 'statusCode'));
  const asked = found === null ? required(code, 'a status code') : (code ?? 0);
  if (isMissing(asked)) return null;
  refuseByCode(asked, 'video_not_found', '');
  if (required(found, 'the id of its video') !== id) {
    throw new ExtractError('platform_changed', `The page is about the video ${found}, not about ${id}.`);
  }
  const video = readItem(item, id);
  if (isTold(video)) return video;
  if (at(item, 'isContentClassified') === true) {
    throw new ExtractError(
      'platform_restricted',
      'The platform shows this video only to adults who are signed in.',
    );
  }
  throw new ExtractError('platform_changed', 'The page came without the time and the counts of its video.');
}
