import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../../../lib/runtime/package-root.js';

/** The guides in reading order: the files of `docs/`. */
export const guideSections = [
  {
    title: 'Get started',
    guides: ['quickstart', 'authentication', 'paging', 'errors-and-retries', 'limits'],
  },
  { title: 'Collect', guides: ['batch', 'files', 'areas', 'jobs', 'spreadsheets', 'buckets', 'browser'] },
  { title: 'Monitor', guides: ['monitor', 'history', 'alerts', 'feeds', 'webhooks'] },
  { title: 'Use elsewhere', guides: ['library', 'python', 'tools', 'n8n', 'action'] },
  { title: 'Trust', guides: ['evidence', 'data-protection'] },
  { title: 'Run a server', guides: ['hosting', 'settings', 'health', 'backup', 'scale'] },
  { title: 'Reference', guides: ['endpoints', 'routes', 'commands'] },
] as const;

export type GuideName = (typeof guideSections)[number]['guides'][number];

/** Files next to the guides that they link to. */
export const guideFiles = [{ name: 'weekly-batch.yaml', type: 'application/yaml' }] as const;

/** The address used in the files' samples: a server after its first start. */
const sampleBase = 'http://localhost:8787';

export const docsFile = (name: string) => readFileSync(path.join(packageRoot(), 'docs', name), 'utf8');

const guideText = (name: GuideName) => docsFile(`${name}.md`);

/** Returns a guide as Markdown, with its samples using the server at `base`, and its links pointing into the site. */
export function guideMarkdown(name: GuideName, base: string): string {
  return guideText(name)
    .replaceAll(sampleBase, base)
    .replace(/\]\(([\w-]+)\.md\b/g, '](/docs/guides/$1')
    .replace(/<!-- (?:begin|end) \w+ -->\n/g, '');
}

export function guideSummary(name: GuideName): { readonly title: string; readonly summary: string } {
  const [heading = '', summary = ''] = guideText(name).split('\n\n', 2);
  return { title: heading.replace(/^# /, ''), summary: summary.replaceAll('\n', ' ') };
}
