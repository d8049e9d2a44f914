import { type Digest, type DigestEntry, fitted } from '../digest.js';
import { markdownLink, plainMarkdown } from './markdown.js';
import type { Message } from './message.js';

/** Mattermost accepts posts of 16,383 characters. */
const maxCharacters = 12_000;

const entryText = ({ label, title, url, details }: DigestEntry) =>
  [
    `- **${label}** ${markdownLink(title, url)}`,
    ...details.map((detail) => `    - ${plainMarkdown(detail)}`),
  ].join('\n');

/** Formats a digest for an incoming webhook of Mattermost. */
export function mattermostMessage(digest: Digest): Message {
  const { headline, link, remarks } = digest;
  const { texts, more } = fitted(digest, entryText, { max: maxCharacters });
  const all = link === null ? null : markdownLink(/^https?:/.test(link) ? 'All items' : link, link);
  const end = [more, all, ...remarks].filter((line) => line !== null).join('\n');
  return {
    body: JSON.stringify({ text: [`**${plainMarkdown(headline)}**`, ...texts, '', end].join('\n').trim() }),
  };
}
