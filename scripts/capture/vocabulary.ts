// The words of a captured page that may stay. Everything else is replaced: an allow-list, never a list of secrets.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import type { Platform } from '../../lib/platforms.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { htmlOf } from './html-text.js';
import { type Item, itemsBelow, type Segment } from './json-text.js';

export interface Vocabulary {
  /** Words that the platform's readers know, allowed in texts. */
  readonly words: ReadonlySet<string>;
  /** `words`, and the words of keys, classes and attributes in the platform's invented fixtures. */
  readonly markup: ReadonlySet<string>;
  /** Numbers that the readers know, such as codes. */
  readonly numbers: ReadonlySet<string>;
}

/** Words of formats that every platform uses. */
const general =
  'http https www com net org html json xml utf charset text application script object true false null undefined ltr rtl PT px';

/** Words of the platforms' interfaces of which the readers only contain the stem. */
const interfaceWords =
  'followers connections abonnés relations seguidores conexões contactos volgers connecties följare kontakter følgere kontakte kontakty takipçi obserwujących collegamenti';

/** Elements and attributes of HTML. */
const html =
  'html head title base link meta style body article section nav aside h1 h2 h3 h4 h5 h6 header footer address p hr pre blockquote ol ul li dl dt dd figure figcaption main div a em strong small s cite q code time sub sup i b u mark span br img iframe video source audio picture track table caption tbody thead tfoot tr td th form label input button select option textarea fieldset template noscript script svg path icon doctype ' +
  'class id href src srcset alt type name content property rel lang dir itemprop itemscope itemtype datetime value action method hidden role data aria label poster width height';

/** Returns the words of a text in lower case. */
export const wordsOf = (text: string): string[] =>
  (text.match(/\p{L}+/gu) ?? []).map((word) => word.toLowerCase());

/** True for a known word, and for one such as GraphImage, whose parts are all known. */
export function isKnownWord(words: ReadonlySet<string>, word: string): boolean {
  if (words.has(word.toLowerCase())) return true;
  const parts = word.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return (
    parts.length > 1 &&
    parts.join('') === word &&
    parts.every((part) => part.length > 1 && words.has(part.toLowerCase()))
  );
}

/** Names of months and days, which readers get from the runtime. */
function calendarWords(): string[] {
  const languages = 'en de fr es pt it nl sv da nb fi pl cs tr el ru uk ja ko zh ar he hi id'.split(' ');
  const days = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, month + 1)));
  return languages.flatMap((language) =>
    (['long', 'short'] as const).flatMap((style) => {
      const format = new Intl.DateTimeFormat(language, { month: style, weekday: style, timeZone: 'UTC' });
      return days.flatMap((day) => wordsOf(format.format(day)));
    }),
  );
}

/** Returns the code of a platform's readers without comments and without messages that contain an example. */
function readersCode(platform: Platform): string {
  const folders = [path.join('lib', 'platforms', platform), path.join('lib', 'read')];
  const printer = ts.createPrinter({ removeComments: true });
  const codes = folders.flatMap((folder) => {
    const dir = path.join(packageRoot(), folder);
    return readdirSync(dir)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => {
        const text = readFileSync(path.join(dir, name), 'utf8');
        return printer.printFile(ts.createSourceFile(name, text, ts.ScriptTarget.Latest));
      });
  });
  return codes.join('\n').replace(/(['"`])(?:(?!\1)[^\\\n]|\\.)*\bsuch as\b(?:(?!\1)[^\\\n]|\\.)*\1/g, '');
}

function keysBelow(parts: readonly (Segment | Item)[]): string[] {
  const items = itemsBelow(parts);
  return items.length === 0 ? [] : [...items.flatMap(({ key }) => key?.raw ?? []), ...keysBelow(items)];
}

/** Returns keys, classes and attribute names in the platform's own fixtures, except those created from captures. */
function fixtureMarkup(platform: Platform): string[] {
  const dir = path.join(packageRoot(), 'fixtures', platform);
  const names = readdirSync(dir, { recursive: true }).map(String);
  return names
    .filter((name) => /\.(?:html|json)$/.test(name) && !name.split(path.sep).includes('captures'))
    .flatMap((name) => {
      const page = htmlOf(readFileSync(path.join(dir, name), 'utf8'));
      const elements = page.elements();
      const attributes = elements.flatMap(({ attribs }) => [...Object.keys(attribs), attribs.class ?? '']);
      return [...attributes, ...keysBelow(page.segments())].flatMap(wordsOf);
    });
}

export function vocabularyOf(platform: Platform): Vocabulary {
  const code = readersCode(platform);
  const words = new Set([
    ...wordsOf(code),
    ...wordsOf(general),
    ...wordsOf(interfaceWords),
    ...calendarWords(),
  ]);
  const numbers = new Set((code.replace(/(?<=\d)_(?=\d)/g, '').match(/\d{3,}/g) ?? []) as string[]);
  return { words, markup: new Set([...words, ...wordsOf(html), ...fixtureMarkup(platform)]), numbers };
}
