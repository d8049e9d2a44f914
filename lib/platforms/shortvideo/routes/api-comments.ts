import { ExtractError } from '../../../errors/extract-error.js';
import { intOrNull } from '../../../read/convert.js';
import { at, type Json } from '../../../read/json.js';
import type { Part, Route } from '../../../routes/route.js';
import { isOutcome } from '../../../routes/walk.js';
import type { PageSession } from '../../../web/page-source.js';
import { type CommentList, commentRequest, readCommentList } from '../comment-list.js';
import type { ShortvideoComment } from '../objects.js';
import type { VideoSubject } from '../short-link.js';

/** The platform's maximum number of comments per response (2026-02). */
export const maxComments = 50;

function positionOf(part: Json) {
  const number = (key: string) => intOrNull(at(part, key)) ?? 0;
  // If the platform returned more than requested, the rest is requested again, skipping its beginning.
  return { cursor: number('cursor'), skip: number('skip'), counted: number('counted') };
}

/**
 * True if nothing new follows a list that says that it has ended, because it says so of lists that continue, too
 * (2026-10). If that cannot be checked, the list is believed.
 */
async function isOver(id: string, cursor: number, list: CommentList, session: PageSession): Promise<boolean> {
  try {
    const following = readCommentList(
      await session.fetch(commentRequest(id, cursor, maxComments)),
      id,
      cursor,
    );
    const ids = new Set(list.comments.map(({ item }) => item.id));
    return following.comments.every(({ item }) => ids.has(item.id));
  } catch (error) {
    if (!isOutcome(error)) throw error;
    return true;
  }
}

/** The list may call a video private that the platform withholds here, so the video's page decides. */
const asRestricted = (error: unknown) =>
  error instanceof ExtractError && error.code === 'account_private'
    ? new ExtractError('platform_restricted', 'The comment list says that the video is private.')
    : error;

async function listedFrom(
  id: string,
  cursor: number,
  count: number,
  session: PageSession,
): Promise<CommentList> {
  const page = await session.fetch(commentRequest(id, cursor, count));
  try {
    return readCommentList(page, id, cursor);
  } catch (error) {
    throw asRestricted(error);
  }
}

export async function commentsFrom(
  id: string,
  { limit, part, session }: { readonly limit: number; readonly part: Json; readonly session: PageSession },
): Promise<Part<ShortvideoComment>> {
  const { cursor, skip, counted } = positionOf(part);
  const count = Math.min(maxComments, skip + limit);
  const list = await listedFrom(id, cursor, count, session);
  const items = list.comments.slice(skip, skip + limit);
  const { total } = list;
  const listPart = {
    items,
    total,
    emptyProof: { end: list.end, leftOut: Math.min(skip, list.comments.length) },
  };
  if (skip + limit < list.comments.length) {
    return { ...listPart, next: { id, cursor, skip: skip + limit, counted } };
  }
  const countSoFar = counted + list.counted;
  if (list.next !== null)
    return { ...listPart, next: { id, cursor: list.next, skip: 0, counted: countSoFar } };
  const isComplete = total !== null && countSoFar >= total;
  const following = cursor + count;
  const mayContinue = list.end && !isComplete && list.comments.length > 0 && session.runsPages !== true;
  if (mayContinue && !(await isOver(id, following, list, session))) {
    return { ...listPart, next: { id, cursor: following, skip: 0, counted: countSoFar } };
  }
  const isShort = total !== null && !isComplete;
  return {
    ...listPart,
    next: null,
    ended: isComplete && list.end ? 'end' : isShort ? 'visitors' : 'unknown',
  };
}

/** The list that the page of a video requests. */
export const apiComments: Route<VideoSubject, Part<ShortvideoComment>> = {
  name: 'api',
  reads: 'The list that the video page requests, without a signature, 50 comments a request.',
  surface: 'api',
  seen: { month: '2026-10', from: ['home', 'datacentre'] },
  async read({ identity: { id }, limit, part, session }) {
    const comments = await commentsFrom(id, { limit, part, session });
    // Deleted videos get an empty list, too.
    if (part === null && comments.items.length === 0) {
      throw new ExtractError('platform_restricted', 'The platform lists no comments of the video.');
    }
    return comments;
  },
};
