import { brandList } from '../../../../lib/platforms.js';
import type { DocsPage } from './pages.js';

/** Builds the index for assistants (llmstxt.org): every page with its subject. */
export function llmsText(pages: readonly DocsPage[], base: string): string {
  const lines = pages.map(({ path, title, summary }) => `- [${title}](${base}${path}.md): ${summary}`);
  return [
    '# extract',
    `> Get structured data from public ${brandList} pages: eighteen functions, one contract.`,
    `The complete API description: ${base}/openapi.json`,
    '## Documentation',
    lines.join('\n'),
    '',
  ].join('\n\n');
}
