import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../../../lib/runtime/package-root.js';

/** The guides in the order of their reading: the files of `docs/`. */
export const guideSections = [
  {
    title: 'Get started',
    guides: ['quickstart', 'authentication', 'paging', 'errors-and-retries', 'limits'],
  },
  {
    title: 'Guides',
    guides: [
      'batch',
      'evidence',
      'data-protection',
      'history',
      'jobs',
      'webhooks',
      'alerts',
      'feeds',
      'spreadsheets',
      'library',
      'python',
      'buckets',
      'n8n',
      'action',
      'tools',
      'browser',
    ],
  },
  { title: 'Run a server', guides: ['hosting', 'settings', 'health', 'backup', 'scale'] },
  { title: 'Reference', guides: ['endpoints', 'routes', 'commands'] },
] as const;

export type GuideName = (typeof guideSections)[number]['guides'][number];

/** Files that guides link to, beside them. */
export const guideFiles = [{ name: 'weekly-batch.yaml', type: 'application/yaml' }] as const;

/** Where the samples of the files ask: a server as it is after its first start. */
const sampleBase = 'http://localhost:8787';

/** The text of a file of `docs/`, which people also read in the package. */
export const docsFile = (name: string) => readFileSync(path.join(packageRoot(), 'docs', name), 'utf8');

const guideText = (name: GuideName) => docsFile(`${name}.md`);

/** A guide as Markdown, its samples asking the server at `base`, and its links leading within the site. */
export function guideMarkdown(name: GuideName, base: string): string {
  return guideText(name)
    .replaceAll(sampleBase, base)
    .replace(/\]\(([\w-]+)\.md\b/g, '](/docs/guides/$1')
    .replace(/<!-- (?:begin|end) \w+ -->\n/g, '');
}

/** Title and first paragraph of a guide. */
export function guideSummary(name: GuideName): { readonly title: string; readonly summary: string } {
  const [heading = '', summary = ''] = guideText(name).split('\n\n', 2);
  return { title: heading.replace(/^# /, ''), summary: summary.replaceAll('\n', ' ') };
}
