import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/**
 * Throws if a list is requested with a cursor: lists have one page and issue none, so a confused client would read the
 * first page forever. Some clients send an empty string for the first page.
 */
export function refuseCursor(params: { readonly cursor?: string | undefined } | undefined): void {
  if ((params?.cursor ?? '') === '') return;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This list has a single page. Omit cursor.');
}
