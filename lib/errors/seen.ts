import type { ErrorCode } from './catalogue.js';

/**
 * One request of a failed call and its answer, for `EXTRACT_DEBUG`, logs and reports. Not part of the contract's error
 * object.
 */
export interface SeenPage {
  /** Method of the request. */
  readonly method: 'GET' | 'POST';
  /** Requested address. */
  readonly url: string;
  /** Name of the requested document, if the request names one. */
  readonly document: string | null;
  /** Address of the answer, if redirects changed it. */
  readonly finalUrl: string | null;
  /** HTTP status; null if no answer came. */
  readonly status: number | null;
  /** Size of the body in bytes; null if no answer came. */
  readonly bytes: number | null;
  /** Title of the page. */
  readonly title: string | null;
  /** The names in the page itself: its route, its page key, or the scopes of its data. */
  readonly names: readonly string[];
  /** Code of the error that came instead of an answer. */
  readonly failure: ErrorCode | null;
}

/** Removes characters from untrusted text that move the cursor, end a line or change the direction of writing. */
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

/** Formats the answers as one line, in the order of their requests. */
export function seenLine(pages: readonly SeenPage[]): string {
  return pages.map(pageText).join('; ');
}
