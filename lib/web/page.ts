import { isUtf8 as isValidUtf8 } from 'node:buffer';
import { ExtractError } from '../errors/extract-error.js';
import type { Page } from './page-source.js';

const charset = /charset\s*=\s*"?([\w-]+)/i;

/** A byte a character: nearly everything is text in them, so that a wrong label shows nowhere. */
const singleByte = /^(?:iso-?8859|windows-125|latin|us-ascii)/;

function decode(body: Uint8Array, contentType: string | undefined): string {
  const label = contentType === undefined ? undefined : charset.exec(contentType)?.[1]?.toLowerCase();
  // Text of another charset is hardly ever valid UTF-8, save for plain letters, which are the same in both.
  const isUtf8 =
    label === undefined || /^utf-?8$/.test(label) || (singleByte.test(label) && isValidUtf8(body));
  try {
    if (!isUtf8) return new TextDecoder(label).decode(body);
  } catch {
    // A label that nobody knows.
  }
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}

/** A page from its parts; the text is decoded once, when first asked for. */
export function page(
  url: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Page {
  let text: string | undefined;
  return {
    url,
    status,
    headers,
    body,
    text() {
      text ??= decode(body, headers['content-type']);
      return text;
    },
  };
}

/** The error of a body larger than the site's bound, wherever it comes from. */
export function bodyTooLarge(maxBytes: number): ExtractError {
  return new ExtractError('platform_changed', `The page is larger than ${maxBytes} bytes and was not read.`);
}
