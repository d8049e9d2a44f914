import type { Digest, DigestEntry } from '../digest.js';
import { fitted } from '../digest.js';
import { markdownLink, plainMarkdown } from './markdown.js';
import type { Message } from './message.js';

/** Discord accepts ten embeds of 6,000 characters in total, and 2,000 characters of text. */
const maxEmbeds = 10;
const maxCharacters = 5500;

/** Truncates text without splitting a surrogate pair. */
const cut = (text: string, max: number) => text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');

const embedOf = ({ label, title, url, details }: DigestEntry) => ({
  title: cut(plainMarkdown(`${label}: ${title}`), 256),
  ...(url === null ? {} : { url }),
  ...(details.length === 0 ? {} : { description: cut(plainMarkdown(details.join('\n')), 1500) }),
});

/** Formats a digest for a Discord webhook. Mentions no one, whatever a page says. */
export function discordMessage(digest: Digest): Message {
  const { headline, entries, link, remarks } = digest;
  const { texts, more } = fitted(digest, (entry) => JSON.stringify(embedOf(entry)), {
    max: maxCharacters,
    maxEntries: maxEmbeds,
  });
  const all = link === null ? null : markdownLink(/^https?:/.test(link) ? 'All items' : link, link);
  return {
    body: JSON.stringify({
      content: [`**${plainMarkdown(headline)}**`, more, all, ...remarks]
        .filter((line) => line !== null)
        .join('\n')
        .slice(0, 2000),
      embeds: entries.slice(0, texts.length).map(embedOf),
      allowed_mentions: { parse: [] },
    }),
  };
}
