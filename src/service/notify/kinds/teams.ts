import { type Digest, type DigestEntry, fitted } from '../digest.js';
import type { Message } from './message.js';

/** Teams accepts messages of 28 KB. This limits the items, in bytes. */
const maxBytes = 22_000;
const maxEntries = 40;

const run = (text: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'TextRun',
  text,
  ...more,
});
const opens = (url: string) => ({ selectAction: { type: 'Action.OpenUrl', url } });
const isAddress = (link: string | null): link is string => link !== null && /^https?:/.test(link);

/** Returns a block of text runs, in which Markdown has no effect. */
const block = (...inlines: readonly unknown[]) => ({ type: 'RichTextBlock', inlines });

const entryBlocks = ({ label, title, url, details }: DigestEntry) => [
  {
    ...block(run(`${label} `, { weight: 'Bolder' }), run(title, isAddress(url) ? opens(url) : {})),
    separator: true,
  },
  ...details.map((detail) => block(run(detail, { isSubtle: true }))),
];

/** Formats a digest as the adaptive card that a Teams workflow posts. */
export function teamsMessage(digest: Digest): Message {
  const { headline, link, entries, remarks } = digest;
  const { texts, more } = fitted(digest, (entry) => JSON.stringify(entryBlocks(entry)), {
    ...{ max: maxBytes, maxEntries },
    sizeOf: Buffer.byteLength,
  });
  const end = [more, isAddress(link) ? null : link, ...remarks].filter((line) => line !== null);
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block(run(headline, { weight: 'Bolder', size: 'Medium' })),
      ...entries.slice(0, texts.length).flatMap(entryBlocks),
      ...end.map((line) => block(run(line))),
    ],
    ...(isAddress(link) ? { actions: [{ type: 'Action.OpenUrl', title: 'All items', url: link }] } : {}),
  };
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', content };
  return { body: JSON.stringify({ type: 'message', attachments: [attachment] }) };
}
