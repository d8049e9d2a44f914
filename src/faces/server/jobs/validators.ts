import type { FastifyReply, FastifyRequest } from 'fastify';

/** The validators that tell two versions of an answer apart (RFC 9110, section 8.8). */
export interface Validators {
  /** With its quotes. */
  readonly etag: string;
  /** Milliseconds since 1970; null where it may change at this moment. */
  readonly modifiedAt: number | null;
}

/** Two changes within these milliseconds may share a date: HTTP dates have whole seconds. */
const dateMs = 2_000;

/** What Apache writes behind the tag of an answer that it compresses, and leaves there when the client asks with it. */
const compressed = /-(?:gzip|br)"$/;

/** The tag among those of a client that names this version; undefined where none does. Tags are compared weakly. */
function matchingTag(header: string, etag: string): string | undefined {
  if (header.trim() === '*') return etag;
  const tags = header.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return tags.find((tag) => tag === etag || tag.replace(compressed, '"') === etag);
}

/**
 * Names the version of an answer in its head. True where the client has that version: it is answered with 304 then, and no
 * body. A tag counts before a date, which is sent only where no later change can have the same.
 */
export function isUnchanged(
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  { etag, modifiedAt }: Validators,
  now: number,
): boolean {
  reply.header('ETag', etag);
  const isDated = modifiedAt !== null && now - modifiedAt >= dateMs;
  if (isDated) reply.header('Last-Modified', new Date(modifiedAt).toUTCString());
  const tags = headers['if-none-match'];
  if (tags !== undefined) {
    const tag = matchingTag(tags, etag);
    // A cache updates what it has under the tag that it is told.
    if (tag !== undefined) reply.header('ETag', tag);
    return tag !== undefined;
  }
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return isDated && Math.floor(modifiedAt / 1000) * 1000 <= since;
}
