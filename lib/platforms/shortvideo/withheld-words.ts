import { type ErrorCode, ExtractError } from '../../errors/extract-error.js';
import { textOrNull } from '../../read/convert.js';

/**
 * The platform's terms for a video that exists but is not shown (2024 to 2026-10). They also accompany 10204, the code
 * of deleted videos.
 */
const reasons: readonly (readonly [word: string, code: ErrorCode, meaning: string])[] = [
  ['status_self_see', 'account_private', 'only its author may see it'],
  ['status_friend_see', 'account_private', 'only friends of its author may see it'],
  ['author_secret', 'account_private', 'the account is private'],
  ['content_classification', 'platform_restricted', 'it is for adults who are signed in'],
  ['cross_border_violation', 'platform_restricted', 'it is closed to this region'],
  ['person_geo_fencing', 'platform_restricted', 'it is closed to this region'],
  ['copyright_geo_filter', 'platform_restricted', 'its sound is closed to this region'],
  ['status_reviewing', 'platform_restricted', 'it is under review'],
  ['status_audit_not_pass', 'platform_restricted', 'it did not pass the platform’s review'],
  ['item is storypost', 'platform_restricted', 'it is a story, which only the app shows'],
];

/** Terms for a video that is deleted or never existed, whatever accompanies them. */
const deletedWords = ['status_deleted', 'invalid item id'];
/** The same, but also used for withheld videos. */
const missing = "item doesn't exist";

/**
 * True if the status message of a page without its video says that there is no such video. Throws if it says why the
 * video is withheld, or that it was deleted. Several terms are joined by “&”.
 */
export function saysMissing(statusMsg: unknown): boolean {
  const words = textOrNull(statusMsg) ?? '';
  if (deletedWords.some((word) => words.includes(word))) {
    throw new ExtractError(
      'video_not_found',
      'There is no such video: the platform says that it was deleted or never existed.',
    );
  }
  if (words.includes(missing)) return true;
  const [, code, meaning] = reasons.find(([word]) => words.includes(word)) ?? [];
  if (code === undefined) return false;
  throw new ExtractError(code, `The platform does not show the video: ${meaning}.`);
}
