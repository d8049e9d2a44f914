import { countOrNull, idOrNull, isoFromUnix, textOrEmpty, textOrNull } from '../../read/convert.js';
import { required } from '../../read/required.js';
import type { PhotosocialComment } from './objects.js';
import type { RawComment } from './raw-types.js';

/** A comment as the contract has it. Throws `platform_changed` where it has no author, text or time. */
export function commentObject(raw: RawComment): PhotosocialComment {
  return {
    username: required(textOrNull(raw.username), 'the author of a comment'),
    text: required(textOrEmpty(raw.text), 'the text of a comment'),
    timestamp: required(isoFromUnix(raw.createdAt), 'the time of a comment'),
    like_count: countOrNull(raw.likes),
    reply_count: countOrNull(raw.replies),
    parent_id: idOrNull(raw.parentId),
  };
}

/** What tells a comment from all others. An id that came as a number has lost digits; the comment then stands for itself. */
export function commentKey(raw: RawComment): string {
  return idOrNull(raw.id) ?? JSON.stringify([raw.username, raw.createdAt, raw.text]);
}
