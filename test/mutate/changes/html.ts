import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import type { Change } from './change.js';

const sources = new Map<string, string>();

/** The source of a platform's readers: what it does not name, they do not touch. */
function sourceOf(platform: string): string {
  const cached = sources.get(platform);
  if (cached !== undefined) return cached;
  const folder = path.join(packageRoot(), 'lib', 'platforms', platform);
  const text = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('\n');
  sources.set(platform, text);
  return text;
}

const tag = /<[a-z][^>]*>/gi;
const attribute = /(?:class|id|name|property|rel|type|data-[\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** What an attribute holds is a name, or several; data and addresses are none. */
const areNames = (value: string) => !/[{[;:]/.test(value);

/** Classes and other names in the tags of a page that its readers name. */
function namesIn(page: string, platform: string): string[] {
  const source = sourceOf(platform);
  const names = new Set<string>();
  for (const [element] of page.matchAll(tag)) {
    for (const [, one, other] of element.matchAll(attribute)) {
      const value = one ?? other ?? '';
      for (const name of areNames(value) ? value.split(/\s+/) : [])
        if (/^[\w:-]{3,60}$/.test(name)) names.add(name);
    }
  }
  return [...names].filter((name) => new RegExp(`(?<![\\w-])${escaped(name)}(?![\\w-])`).test(source));
}

/** Each class that a reader touches renamed, and each script taken out. */
export function htmlChanges(page: string, platform: string): Change[] {
  if (!/^\s*(?:\uFEFF)?</.test(page)) return [];
  const renamed = namesIn(page, platform).map((name): Change => {
    const word = new RegExp(`(?<=[\\s"'])${escaped(name)}(?=[\\s"'])`, 'g');
    return {
      kind: 'renamed',
      what: name,
      text: () =>
        page.replace(tag, (element) =>
          element.replace(attribute, (match, one?: string, other?: string) =>
            areNames(one ?? other ?? '') ? match.replace(word, `${name}-moved`) : match,
          ),
        ),
    };
  });
  const scripts = [...page.matchAll(/<(script|code)\b[^>]*>[\s\S]*?<\/\1>/gi)].map(
    ({ 0: element, index }): Change => ({
      kind: 'script out',
      what: element.slice(0, 60),
      text: () => page.slice(0, index) + page.slice(index + element.length),
    }),
  );
  return [...renamed, ...scripts];
}
