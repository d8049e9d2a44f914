import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/**
 * Throws for the cursor of a list, as every list has one page and gives out none. A client that lost its way would else
 * read the first page again and again. Some clients fill in an empty text for the first page.
 */
export function refuseCursor(params: { readonly cursor?: string | undefined } | undefined): void {
  if ((params?.cursor ?? '') === '') return;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'The cursor is of no page: this list has one page. Leave out cursor.',
  );
}
