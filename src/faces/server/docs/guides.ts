import { Marked } from 'marked';
import { guideText } from './guide-files.js';

/** The guides in the order of their reading: the files of `docs/`. */
export const guideNames = [
  'endpoints',
  'paging',
  'browser',
  'errors-and-retries',
  'limits',
  'jobs',
  'webhooks',
  'tools',
  'batch',
  'library',
  'hosting',
  'health',
  'backup',
  'scale',
  'settings',
] as const;

export type GuideName = (typeof guideNames)[number];

/** Where the samples of the files ask: a server as it is after its first start. */
const sampleBase = 'http://localhost:8787';

/** A guide as Markdown, its samples asking the server at `base`. */
function guideMarkdown(name: GuideName, base: string): string {
  return guideText(name)
    .replaceAll(sampleBase, base)
    .replace(/<!-- (?:begin|end) \w+ -->\n/g, '');
}

/** Title and first paragraph of a guide. */
export function guideSummary(name: GuideName): { readonly title: string; readonly summary: string } {
  const [heading = '', summary = ''] = guideText(name).split('\n\n', 2);
  return { title: heading.replace(/^# /, ''), summary: summary.replaceAll('\n', ' ') };
}

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

const marked = new Marked({
  renderer: {
    // The frame has the title; sections can be linked to.
    heading({ tokens, depth }) {
      const html = this.parser.parseInline(tokens);
      return depth === 1 ? '' : `<h${depth} id="${slug(html.replace(/<[^>]*>/g, ''))}">${html}</h${depth}>\n`;
    },
    code({ text, lang }) {
      const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      return `<pre tabindex="0"><code data-language="${lang ?? ''}">${escaped}</code></pre>\n`;
    },
    table(token) {
      const cells = (row: typeof token.header, tag: string, more = '') =>
        row.map((cell) => `<${tag}${more}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
      const body = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
      const head = `<tr>${cells(token.header, 'th', ' scope="col"')}</tr>`;
      return `<div class="scroll" tabindex="0"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`;
    },
  },
});

/** A guide as HTML without its title. The files are ours: nothing of a stranger gets into them. */
export function guideHtml(name: GuideName, base: string): string {
  return marked.parse(guideMarkdown(name, base), { async: false });
}
