import type { ErrorCode } from './catalogue.js';

/**
 * One request of a failed call and what came back. It is for `EXTRACT_DEBUG`, logs and reports, and no part of the
 * contract's error object.
 */
export interface SeenPage {
  /** Method of the request. */
  readonly method: 'GET' | 'POST';
  /** Address that was asked for. */
  readonly url: string;
  /** Name of the document that was asked for, where the request names one. */
  readonly document: string | null;
  /** Address of the answer, where redirects led to another one. */
  readonly finalUrl: string | null;
  /** HTTP status; null where no answer came. */
  readonly status: number | null;
  /** Size of the body in bytes; null where no answer came. */
  readonly bytes: number | null;
  /** Title of the page. */
  readonly title: string | null;
  /** The name that the page gives itself: its route, its page key, or the scopes of its data. */
  readonly names: readonly string[];
  /** Code of the error that came in place of an answer. */
  readonly failure: ErrorCode | null;
}

/** Text of a stranger without the characters that move a cursor, end a line or turn the direction of writing. */
const plain = (text: string) =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' || character === '\t' ? ' ' : '',
  );

function pageText({ method, url, document, finalUrl, status, bytes, title, names, failure }: SeenPage) {
  const parts = [
    method,
    url,
    ...(document === null ? [] : [document]),
    ...(finalUrl === null ? [] : [`-> ${finalUrl}`]),
    failure ?? `${status} ${bytes} bytes`,
    ...(title === null ? [] : [JSON.stringify(title)]),
    ...(names.length === 0 ? [] : [`[${names.join(', ')}]`]),
  ];
  return plain(parts.join(' '));
}

/** The answers in one line: request after request, in the order in which they were sent. */
export function seenLine(seen: readonly SeenPage[]): string {
  return seen.map(pageText).join('; ');
}
