import type { Digest } from '../digest.js';
import type { Message } from './message.js';
import { plainText } from './plain-text.js';

/** ntfy makes a file of what is longer than 4,096 bytes; a character has up to four. */
const maxCharacters = 1800;

/** A digest for a topic of ntfy, whose server takes JSON at its root: headers could not hold every title. */
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
