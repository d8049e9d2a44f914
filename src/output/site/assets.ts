import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Beside this file in the sources; the build puts them beside the file that this one becomes part of. */
const folder = new URL('./assets/', import.meta.url);

/** The parts of the style sheet in the order in which later ones may change what earlier ones say. */
const sheets = ['base', 'frame', 'parts', 'forms', 'tables', 'code', 'charts', 'prose', 'docs', 'media'];

/** A file that pages load. */
export interface Asset {
  /** Its name holds a digest of its content: a browser may keep it for ever, and never sees an old one with a new page. */
  readonly address: string;
  readonly type: string;
  readonly content: string;
}

function asset(stem: string, ending: string, type: string, names: readonly string[]): Asset {
  const content = names.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 12);
  return { address: `/assets/${stem}-${digest}.${ending}`, type: `${type}; charset=utf-8`, content };
}

interface Assets {
  readonly style: Asset;
  readonly script: Asset;
}

let read: Assets | undefined;

/** The style sheet and the script of every page, read once. */
export function assets(): Assets {
  read ??= {
    style: asset(
      'style',
      'css',
      'text/css',
      sheets.map((name) => `style/${name}.css`),
    ),
    script: asset('script', 'js', 'text/javascript', ['script.js']),
  };
  return read;
}
