import type { FastifyReply, FastifyRequest } from 'fastify';

/** The validators that distinguish two versions of a response (RFC 9110, section 8.8). */
export interface Validators {
  /** With its quotes. */
  readonly etag: string;
  /** Milliseconds since 1970; null if it may be changing right now. */
  readonly modifiedAt: number | null;
}

/** Two changes within these milliseconds may share a date, because HTTP dates have whole seconds. */
const dateMs = 2_000;

/**
 * The suffix that Apache adds to the tag of a response it compresses, and does not remove from the client's request.
 */
const compressed = /-(?:gzip|br)"$/;

/** Returns the client's tag for this version, by weak comparison; undefined if there is none. */
function matchingTag(header: string, etag: string): string | undefined {
  if (header.trim() === '*') return etag;
  const tags = header.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return tags.find((tag) => tag === etag || tag.replace(compressed, '"') === etag);
}

/**
 * Sets the validators of a response. Returns true if the client's version is current, for a 304 without a body. A tag
 * takes precedence over a date, which is only sent if no later change can have the same.
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
    // A cache updates its entry under the tag that it receives.
    if (tag !== undefined) reply.header('ETag', tag);
    return tag !== undefined;
  }
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return isDated && Math.floor(modifiedAt / 1000) * 1000 <= since;
}
