import type { Digest } from '../digest.js';
import type { Message } from './message.js';
import { plainText } from './plain-text.js';

/** ntfy turns messages longer than 4,096 bytes into files; a character has up to four bytes. */
const maxCharacters = 1800;

/** Formats a digest for an ntfy topic. Posts JSON to the server's root, because headers cannot contain every title. */
export function ntfyMessage(digest: Digest, address: string): Message {
  const url = new URL(address);
  const names = url.pathname.split('/').filter((name) => name !== '');
  const topic = decodeURIComponent(names.pop() ?? '');
  url.pathname = `/${names.join('/')}`;
  const { link, headline, entries } = digest;
  const click = entries.length === 1 && digest.total === 1 ? (entries[0]?.url ?? link) : link;
  const isAddress = click !== null && /^https?:/.test(click);
  return {
    url: url.href,
    body: JSON.stringify({
      topic,
      title: headline,
      message: plainText(digest, maxCharacters),
      ...(isAddress ? { click } : {}),
    }),
  };
}
