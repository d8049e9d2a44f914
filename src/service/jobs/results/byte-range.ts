import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { errorText } from '../../../output/error-answer.js';

/** First inclusive, last exclusive. */
interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the bytes that a `Range` header requests of `size` (RFC 9110, section 14), or `none` if they are out of
 * bounds. Null if the header must be ignored (another unit, several ranges, invalid syntax).
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'none' | null {
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Number(last);
    return length === 0 || size === 0 ? 'none' : { from: Math.max(0, size - length), to: size };
  }
  const from = Number(first);
  if (last !== '' && Number(last) < from) return null;
  if (from >= size) return 'none';
  return { from, to: last === '' ? size : Math.min(size, Number(last) + 1) };
}

/**
 * Returns the `Range` header to honour: only for GET (RFC 9110, section 14.2), and not if `If-Range` names another
 * version than the response, because parts of two versions make no file (section 13.1.5).
 */
export function rangeHeader(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  reply: FastifyReply,
): string | undefined {
  if (method !== 'GET') return undefined;
  const version = headers['if-range'];
  const isThis = ['etag', 'last-modified'].some((name) => reply.getHeader(name) === version);
  return version === undefined || isThis ? headers.range : undefined;
}

/** Sends 416: the range is out of bounds. */
export function sendRangeFault(
  request: FastifyRequest,
  reply: FastifyReply,
  size: number,
  docsBase: string,
): FastifyReply {
  const error = new ExtractError('invalid_parameter', `The range begins after the last of ${size} bytes.`);
  return reply
    .code(416)
    .header('Content-Range', `bytes */${size}`)
    .type('application/json; charset=utf-8')
    .send(errorText(error.within(request.id, docsBase)));
}
