import type { FastifyReply } from 'fastify';
import { ExtractError, invalidParameter } from '../../lib/errors/extract-error.js';
import { withoutSecrets } from './log.js';

function fromFastify(error: {
  code?: unknown;
  statusCode?: unknown;
  message?: unknown;
}): ExtractError | null {
  const code = typeof error.code === 'string' ? error.code : '';
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ExtractError('body_too_large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ExtractError('invalid_body', 'Send the body as application/json.');
  }
  if (code.startsWith('FST_ERR_CTP_')) {
    return new ExtractError('invalid_body', 'The body does not match its headers, or is not JSON.');
  }
  if (code === 'FST_ERR_BAD_URL') {
    return invalidParameter('The path of the URL is not percent-encoded UTF-8.');
  }
  const { statusCode } = error;
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new ExtractError('invalid_body', 'The request cannot be parsed.', { cause: error });
  }
  return null;
}

/** Converts anything thrown while handling a request to an error of the catalogue with the request's ID. */
export function toExtractError(error: unknown, requestId: string, docsBase: string): ExtractError {
  const shownError =
    error instanceof ExtractError
      ? error
      : ((typeof error === 'object' && error !== null ? fromFastify(error) : null) ??
        new ExtractError('internal_error', 'An unexpected error occurred.', {
          cause: error,
        }));
  return shownError.within(requestId, docsBase);
}

/** Returns the error object as sent. Redacts secrets, because a message may repeat what was received. */
export function errorText(error: ExtractError): string {
  return withoutSecrets(JSON.stringify({ error }));
}

/** Sends an error as the contract's object, with the headers of its code. */
export function sendError(error: ExtractError, reply: FastifyReply): FastifyReply {
  const { status, retryAfter } = error;
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer');
  if (retryAfter !== undefined) reply.header('Retry-After', String(Math.max(1, Math.ceil(retryAfter))));
  return reply
    .code(status)
    .header('Cache-Control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(errorText(error));
}
