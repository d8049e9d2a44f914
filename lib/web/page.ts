import { ExtractError } from '../errors/extract-error.js';
import type { Page } from './page-source.js';

const charset = /charset\s*=\s*"?([\w-]+)/i;

function decode(body: Uint8Array, contentType: string | undefined): string {
  const label = contentType === undefined ? undefined : charset.exec(contentType)?.[1]?.toLowerCase();
  if (label === undefined || label === 'utf-8' || label === 'utf8') {
    return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  }
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  }
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
