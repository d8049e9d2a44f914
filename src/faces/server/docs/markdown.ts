import { setImmediate } from 'node:timers/promises';
import { brandList } from '../../../../lib/platforms.js';
import { renderPage } from '../../../output/html.js';
import { htmlToMarkdown } from './html-to-markdown.js';
import type { DocsPage } from './pages.js';

const mainOf = (html: string) => /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? '';

/** A page as Markdown, for assistants and editors. */
export async function pageMarkdown(page: DocsPage): Promise<string> {
  return htmlToMarkdown(mainOf(renderPage(await page.render())));
}

/** The Markdown of all pages. Each is made in a turn of its own, so that nothing else waits for all of them. */
export async function allMarkdown(pages: readonly DocsPage[]): Promise<ReadonlyMap<DocsPage, string>> {
  const texts = new Map<DocsPage, string>();
  for (const page of pages) {
    texts.set(page, await pageMarkdown(page));
    await setImmediate();
  }
  return texts;
}

/** The index that assistants look for (llmstxt.org): every page with what it is about. */
export function llmsText(pages: readonly DocsPage[], base: string): string {
  const lines = pages.map(({ path, title, summary }) => `- [${title}](${base}${path}.md): ${summary}`);
  return [
    '# extract',
    `> Structured data from public, logged-out ${brandList} pages, as eighteen functions with one contract.`,
    `The whole description of the API: ${base}/openapi.json`,
    '## Documentation',
    lines.join('\n'),
    '',
  ].join('\n\n');
}
