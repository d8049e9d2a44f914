import { type ErrorObject, ExtractError, isErrorCode } from '../errors/extract-error.js';

/** Returns the contract's error object in a body, or null. Its code may be from a later version. */
function errorIn(text: string): Readonly<Record<keyof Omit<ErrorObject, 'type'>, string>> | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const { error } = body;
  if (typeof error !== 'object' || error === null) return null;
  const { code, message, docs, request_id } = error as Partial<Record<keyof ErrorObject, unknown>>;
  const areTexts = [code, message, docs, request_id].every((value) => typeof value === 'string');
  return areTexts ? (error as ErrorObject) : null;
}

/**
 * Converts a server's response to the error that was thrown there. A response without the contract's error object comes
 * from an intermediary, and becomes `platform_unavailable`, documented at `docsBase`.
 */
export function parseErrorResponse(
  status: number,
  text: string,
  retryAfter: number | null,
  server: string,
  docsBase?: string,
): ExtractError {
  const waits = retryAfter === null ? {} : { retryAfter };
  const error = errorIn(text);
  if (error === null) {
    return new ExtractError(
      'platform_unavailable',
      `${server} answered with status ${status}, but not like the API. Check the address.`,
      docsBase === undefined ? waits : { ...waits, docsBase },
    );
  }
  const { code, message, docs, request_id: requestId } = error;
  // The server's message already says what to do next.
  const details = { next: '', requestId, docsBase: docs.replace(/\/docs\/errors\/[^/]*$/, ''), ...waits };
  return isErrorCode(code)
    ? new ExtractError(code, message, details)
    : new ExtractError('internal_error', `${code}: ${message}`, details);
}
