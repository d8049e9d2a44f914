import { type ErrorCode, ExtractError } from '../../errors/extract-error.js';
import { textOrNull } from '../../read/convert.js';

/**
 * The platform's words for a video that is there and not shown (2024 to 2026-10). They stand beside 10204, the code
 * of what is gone, and beside other codes, too.
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
  ['item is storypost', 'platform_restricted', 'it is a story, which is shown in the app alone'],
];

/** Words for a video that is gone or never was, whatever the code and the words beside them. */
const gone = ['status_deleted', 'invalid item id'];
/** The same, as it is said of a video that is withheld here, too. */
const missing = "item doesn't exist";

/**
 * True where the words of a page without its video say that there is no such video. Throws where they say why it is
 * withheld, or that it was deleted. Several words are joined by “&”.
 */
export function saysMissing(statusMsg: unknown): boolean {
  const words = textOrNull(statusMsg) ?? '';
  if (gone.some((word) => words.includes(word))) {
    throw new ExtractError(
      'video_not_found',
      'There is no video: the platform says that it was deleted, or never was.',
    );
  }
  if (words.includes(missing)) return true;
  const [, code, meaning] = reasons.find(([word]) => words.includes(word)) ?? [];
  if (code === undefined) return false;
  throw new ExtractError(code, `The platform does not show the video: ${meaning}.`);
}
