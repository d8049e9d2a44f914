import type { Endpoint } from '../../../lib/endpoint.js';
import { comments } from '../../../lib/platforms/shortvideo/comments.js';
import { type Knockout, knockOut, withoutPaths } from '../../support/knockout.js';

/** The answer without a path of every comment, and of every reply below one. */
function without(path: readonly string[], mandatory = false): Knockout {
  return {
    mandatory,
    remove: (json) =>
      withoutPaths(json, ['comments', '*', ...path], ['comments', '*', 'reply_comment', '*', ...path]),
  };
}

await knockOut(comments as Endpoint, 'two pages: a reply, a picture alone, a deleted account, a repeat', {
  id: without(['cid'], true),
  video_id: without(['aweme_id'], true),
  parent_comment_id: without(['reply_id']),
  username: without(['user', 'unique_id']),
  text: without(['text']),
  create_time: without(['create_time'], true),
  like_count: without(['digg_count']),
  reply_count: without(['reply_comment_total']),
});
