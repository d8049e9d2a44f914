import type { Feed } from './feed.js';

/** Returns the feed as a JSON Feed 1.1 document. */
export function jsonFeed({ title, selfUrl, homeUrl, entries }: Feed): string {
  const document = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    ...(homeUrl === null ? {} : { home_page_url: homeUrl }),
    ...(selfUrl === null ? {} : { feed_url: selfUrl }),
    authors: [{ name: 'extract' }],
    items: entries.map(({ id, title: name, url, published, text, tags }) => ({
      id,
      ...(url === null ? {} : { url }),
      title: name,
      content_text: text,
      date_published: published,
      ...(tags.length === 0 ? {} : { tags }),
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
