import { type Digest, type DigestEntry, fitted } from '../digest.js';
import type { Message } from './message.js';

/** Slack truncates texts longer than 4,000 characters. */
const maxCharacters = 3200;

/** Escapes text so that it contains no link, mention or channel. */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const linked = (url: string, text: string) =>
  `<${escaped(url.replaceAll('|', '%7C'))}|${escaped(text).replaceAll('|', '¦')}>`;

function entryText({ label, title, url, details }: DigestEntry): string {
  const what = url === null ? escaped(title) : linked(url, title);
  return [`*${label}* ${what}`, ...details.map((detail) => `    ${escaped(detail)}`)].join('\n');
}

/** Formats a digest for an incoming Slack webhook. */
export function slackMessage(digest: Digest): Message {
  const { headline, link, remarks } = digest;
  const { texts, more } = fitted(digest, entryText, { max: maxCharacters });
  const all = link === null ? null : /^https?:/.test(link) ? linked(link, 'All items') : escaped(link);
  const lines = [`*${escaped(headline)}*`, ...texts, more, all, ...remarks.map(escaped)];
  return {
    body: JSON.stringify({
      text: lines.filter((line) => line !== null).join('\n'),
      unfurl_links: false,
      unfurl_media: false,
    }),
  };
}
