import type { CheerioAPI } from 'cheerio';

/** A page as a tree of elements. Its library is loaded with the first such page: most pages carry their data as JSON. */
export async function elements(html: string): Promise<CheerioAPI> {
  const { load } = await import('cheerio/slim');
  return load(html);
}
