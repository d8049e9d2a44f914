import { at, listAt } from '../../read/json.js';
import type { Subject } from './page-data.js';
import { connectionOf, nodesOf, type RawList } from './raw-list.js';
import type { NamedPost } from './shortcode.js';

/** A comment of any shape, unconverted. `undefined`: not in the shape. */
export interface RawComment {
  readonly id: unknown;
  readonly userId: unknown;
  readonly username: unknown;
  readonly fullName: unknown;
  readonly text: unknown;
  readonly createdAt: unknown;
  readonly likes: unknown;
  readonly replies: unknown;
  readonly parentId: unknown;
}

/** Shapes P and V1. */
function appComment(comment: unknown): RawComment {
  return {
    id: at(comment, 'pk'),
    userId: at(comment, 'user', 'pk') ?? at(comment, 'user', 'id'),
    username: at(comment, 'user', 'username'),
    fullName: at(comment, 'user', 'full_name'),
    text: at(comment, 'text'),
    createdAt: at(comment, 'created_at_utc') ?? at(comment, 'created_at'),
    likes: at(comment, 'comment_like_count'),
    replies: at(comment, 'child_comment_count'),
    parentId: at(comment, 'parent_comment_id') ?? at(comment, 'replied_to_comment_id'),
  };
}

/** Shape P. Its `if_not_gated_logged_out` has the count. */
function polarisComments(outer: unknown): RawList<RawComment> | undefined {
  const connection = at(outer, 'comments_connection');
  if (connection === undefined || connection === null) return undefined;
  return connectionOf(
    'P',
    connection,
    nodesOf(connection).map(appComment),
    at(outer, 'if_not_gated_logged_out', 'comment_count'),
  );
}

/** Shape V1 nests the visible replies under their comment. */
const itemWithReplies = (comment: unknown) =>
  [comment, ...listAt(comment, 'preview_child_comments')].map(appComment);

/** The comments of a REST response, each before its visible replies. */
function itemComments(answer: unknown): RawList<RawComment> {
  return {
    shape: 'V1',
    items: listAt(answer, 'comments').flatMap(itemWithReplies),
    after: at(answer, 'next_min_id') ?? at(answer, 'next_max_id'),
    more: at(answer, 'has_more_headload_comments') === true || at(answer, 'has_more_comments'),
    total: at(answer, 'comment_count'),
  };
}

const itemConnection = (connection: unknown): RawList<RawComment> =>
  connectionOf('V1', connection, nodesOf(connection).flatMap(itemWithReplies), undefined);

function legacyComment(node: unknown, parentId?: unknown): RawComment {
  return {
    id: at(node, 'id'),
    userId: at(node, 'owner', 'id'),
    username: at(node, 'owner', 'username'),
    fullName: at(node, 'owner', 'full_name'),
    text: at(node, 'text'),
    createdAt: at(node, 'created_at'),
    likes: at(node, 'edge_liked_by', 'count'),
    replies: at(node, 'edge_threaded_comments', 'count'),
    parentId,
  };
}

/** Shapes L and X: each comment before its replies, which do not refer to it themselves. */
function legacyComments(shape: 'L' | 'X', post: unknown): RawList<RawComment> | undefined {
  const threaded = at(post, 'edge_media_to_parent_comment');
  const connection = threaded ?? at(post, 'edge_media_to_comment');
  if (connection === undefined || connection === null) return undefined;
  const items = nodesOf(connection).flatMap((node) => [
    legacyComment(node),
    ...nodesOf(at(node, 'edge_threaded_comments')).map((reply) => legacyComment(reply, at(node, 'id'))),
  ]);
  return connectionOf(shape, connection, items, at(connection, 'count'));
}

/** A post's comments, with the post as identified by the same data. */
export interface RawComments extends RawList<RawComment> {
  readonly post: NamedPost;
}

/** Comments nested in their post, which has its code as `code` or `shortcode`, its id as `pk` or `id`. */
function commentsUnder(post: unknown, list: RawList<RawComment> | undefined): RawComments | undefined {
  const code = at(post, 'code') ?? at(post, 'shortcode');
  return list === undefined ? undefined : { ...list, post: { code, id: at(post, 'pk') ?? at(post, 'id') } };
}

/** A REST response identifies its post only in each comment. */
function commentsOfAnswer(answer: unknown): RawComments {
  const [id, other] = new Set(listAt(answer, 'comments').map((comment) => at(comment, 'media_id')));
  return { ...itemComments(answer), post: { code: undefined, id: other === undefined ? id : undefined } };
}

export const commentsSubject: Subject<RawComments> = {
  hint: 'comments_connection',
  nameOf: ({ post }) => post.code ?? post.id,
  roots: [
    ['xig_polaris_media', (outer) => commentsUnder(outer, polarisComments(outer))],
    [
      'xdt_api__v1__media__media_id__comments__connection',
      // The list itself does not identify its post; the page's request for it does.
      (list, _, request) => ({
        ...itemConnection(list),
        post: { code: undefined, id: at(request(), 'media_id') },
      }),
    ],
    ['xdt_shortcode_media', (media) => commentsUnder(media, legacyComments('X', media))],
    ['shortcode_media', (media) => commentsUnder(media, legacyComments('L', media))],
    ['comments', (list, answer) => (Array.isArray(list) ? commentsOfAnswer(answer) : undefined)],
  ],
};
