import { brandList } from '../../../../lib/platforms.js';
import type { DocsPage } from './pages.js';

/** The index that assistants look for (llmstxt.org): every page with what it is about. */
export function llmsText(pages: readonly DocsPage[], base: string): string {
  const lines = pages.map(({ path, title, summary }) => `- [${title}](${base}${path}.md): ${summary}`);
  return [
    '# extract',
    `> Get structured data from public ${brandList} pages: eighteen functions, one contract.`,
    `The whole description of the API: ${base}/openapi.json`,
    '## Documentation',
    lines.join('\n'),
    '',
  ].join('\n\n');
}
