import { type Feed, type FeedEntry, feedUpdated } from './feed.js';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that an XML document cannot contain, and unpaired surrogates. */
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const escaped = (text: string) =>
  text.replaceAll(forbidden, '').replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');

const element = (name: string, text: string) => `<${name}>${escaped(text)}</${name}>`;

const link = (rel: string, url: string | null, type: string) =>
  url === null ? [] : [`<link rel="${rel}" type="${type}" href="${escaped(url)}"/>`];

function entryLines({ id, title, url, published, text, tags }: FeedEntry): string[] {
  return [
    '  <entry>',
    ...[
      element('id', id),
      element('title', title),
      ...link('alternate', url, 'text/html'),
      element('published', published),
      element('updated', published),
      ...tags.map((tag) => `<category term="${escaped(tag)}"/>`),
      `<content type="text">${escaped(text)}</content>`,
    ].map((line) => `    ${line}`),
    '  </entry>',
  ];
}

/** Returns the feed as an Atom document (RFC 4287). */
export function atomFeed(feed: Feed): string {
  const { id, title, selfUrl, homeUrl, entries } = feed;
  const head = [
    element('id', id),
    element('title', title),
    element('updated', feedUpdated(feed)),
    ...link('self', selfUrl, 'application/atom+xml'),
    ...link('alternate', homeUrl, 'text/html'),
    // Atom requires an author. The observations are this program's.
    '<author><name>extract</name></author>',
    '<generator>extract</generator>',
  ];
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    ...head.map((line) => `  ${line}`),
    ...entries.flatMap(entryLines),
    '</feed>',
    '',
  ].join('\n');
}
