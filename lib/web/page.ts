import { isUtf8 as isValidUtf8 } from 'node:buffer';
import { ExtractError } from '../errors/extract-error.js';
import type { Page } from './page-source.js';

const charset = /charset\s*=\s*"?([\w-]+)/i;

/** One byte per character; pages in them are nearly all text, so a wrong label would go unnoticed. */
const singleByte = /^(?:iso-?8859|windows-125|latin|us-ascii)/;

function decode(body: Uint8Array, contentType: string | undefined): string {
  const label = contentType === undefined ? undefined : charset.exec(contentType)?.[1]?.toLowerCase();
  // Text in another charset is rarely valid UTF-8, except for ASCII, which is the same in both.
  const isUtf8 =
    label === undefined || /^utf-?8$/.test(label) || (singleByte.test(label) && isValidUtf8(body));
  try {
    if (!isUtf8) return new TextDecoder(label).decode(body);
  } catch {
    // An unknown label.
  }
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}

/** Builds a page from its parts; the text is decoded once, on first use. */
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

export function bodyTooLarge(maxBytes: number): ExtractError {
  return new ExtractError('platform_changed', `The page is larger than ${maxBytes} bytes and was not read.`);
}
