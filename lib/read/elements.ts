import type { CheerioAPI } from 'cheerio';

/**
 * A page that is really HTML as a tree to select elements from. The library behind it is loaded with the
 * first such page: most pages carry their data as JSON and are cut instead.
 */
export async function elements(html: string): Promise<CheerioAPI> {
  const { load } = await import('cheerio/slim');
  return load(html);
}
