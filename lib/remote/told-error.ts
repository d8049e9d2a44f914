import * as z from 'zod';
import { ExtractError, isErrorCode } from '../errors.js';

const body = z.object({
  error: z.object({ code: z.string(), message: z.string(), docs: z.string(), request_id: z.string() }),
});

/**
 * What a server told went wrong, as the same error that it was there. An answer without the contract's error object
 * comes from something between, and is `platform_unavailable`.
 */
export function toldError(
  status: number,
  text: string,
  retryAfter: number | null,
  server: string,
): ExtractError {
  const waits = retryAfter === null ? {} : { retryAfter };
  const told = body.safeParse(parsed(text));
  if (!told.success) {
    return new ExtractError(
      'platform_unavailable',
      `${server} answered with status ${status} and not as the API does. Is this its address?`,
      waits,
    );
  }
  const { code, message, docs, request_id: requestId } = told.data.error;
  const docsBase = docs.replace(/\/docs\/errors\/[^/]*$/, '');
  return isErrorCode(code)
    ? new ExtractError(code, message, { requestId, docsBase, ...waits })
    : new ExtractError('internal_error', `${code}: ${message}`, { requestId, docsBase, ...waits });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
