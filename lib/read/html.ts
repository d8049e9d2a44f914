import type { CheerioAPI } from 'cheerio';
import { ExtractError } from '../errors/extract-error.js';

/**
 * Cuts the relevant elements out of a large HTML page, in one pass and without a tree. The pass understands comments,
 * quoted attributes and the raw text of scripts, so it ignores text that only resembles a tag. `html-tree.ts` builds
 * trees of the small remainder, and loads the parser when needed.
 */

/** Elements that contain only text, and what ends them. */
const rawText: ReadonlyMap<string, RegExp> = new Map(
  ['script', 'style', 'textarea', 'title'].map((name) => [name, new RegExp(`</${name}[\\s/>]`, 'gi')]),
);

/** Returns the end of a tag: after the `>` outside of quoted attributes. Beyond the page's end if there is none. */
function tagEnd(html: string, from: number): number {
  const length = html.length;
  for (let at = from; at < length; at += 1) {
    const code = html.charCodeAt(at);
    if (code === 62) return at + 1;
    if (code !== 61) continue;
    do at += 1;
    while (html.charCodeAt(at) <= 32);
    const quote = html.charCodeAt(at);
    if (quote === 34 || quote === 39) {
      at = html.indexOf(quote === 34 ? '"' : "'", at + 1);
      if (at < 0) return length + 1;
    } else {
      while (at < length && html.charCodeAt(at) !== 62 && html.charCodeAt(at) > 32) at += 1;
      at -= 1;
    }
  }
  return length + 1;
}

const isLetter = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);

/** Returns the end of a tag's name: at white space, `/` or `>`. */
function nameEnd(html: string, from: number): number {
  let at = from;
  for (let code = html.charCodeAt(at); code > 32 && code !== 47 && code !== 62; code = html.charCodeAt(at))
    at += 1;
  return at;
}

function closedAt(html: string, close: RegExp, from: number): number {
  close.lastIndex = from;
  return close.exec(html)?.index ?? html.length;
}

/** The tags of a page in order. One object is reused for all of them, because a page has ten thousand. */
class Tags {
  /** Lower case. */
  name = '';
  closing = false;
  start = 0;
  end = 0;
  readonly #html: string;
  #from = 0;

  constructor(html: string) {
    this.#html = html;
  }

  /** Moves to the next tag. Returns false if the page ends, or breaks off inside a tag or comment. */
  next(): boolean {
    const html = this.#html;
    let at = html.indexOf('<', this.#from);
    for (; at >= 0; at = html.indexOf('<', this.#from)) {
      let code = html.charCodeAt(at + 1);
      if (code === 33 && html.startsWith('<!--', at)) {
        const end = html.indexOf('-->', at + 2);
        if (end < 0) return false;
        this.#from = end + 3;
        continue;
      }
      this.closing = code === 47;
      const begin = this.closing ? at + 2 : at + 1;
      if (this.closing) code = html.charCodeAt(begin);
      if (!isLetter(code)) {
        this.#from = at + 1;
        continue;
      }
      const end = nameEnd(html, begin);
      this.name = html.slice(begin, end).toLowerCase();
      this.start = at;
      this.end = tagEnd(html, end);
      if (this.end > html.length) return false;
      const close = this.closing ? undefined : rawText.get(this.name);
      this.#from = close === undefined ? this.end : closedAt(html, close, this.end);
      return true;
    }
    return false;
  }
}

const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/** Returns the attributes of an opening tag, as written. The first of a name counts. */
export function attributesOf(tag: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  attribute.lastIndex = 1;
  attribute.exec(tag);
  for (let one = attribute.exec(tag); one !== null; one = attribute.exec(tag)) {
    const name = (one[1] as string).toLowerCase();
    if (!values.has(name)) values.set(name, one[2] ?? one[3] ?? one[4] ?? '');
  }
  return values;
}

/** An element in the notation of selector tables: `section.top-card[data-section=posts]`. The tag is required. */
interface Mark {
  readonly name: string;
  readonly classes: readonly string[];
  readonly attributes: readonly (readonly [name: string, value: string])[];
  /** Text that an opening tag must contain to be parsed. */
  readonly hint: string;
}

const marks = new Map<string, Mark>();

function markOf(selector: string): Mark {
  const attribute = marks.get(selector);
  if (attribute !== undefined) return attribute;
  const parts = /^([a-z][a-z0-9]*)((?:\.[\w-]+)*)((?:\[[\w-]+=[^[\]]+\])*)$/.exec(selector);
  if (parts === null) throw new TypeError(`${selector} is not a tag with classes and attributes`);
  const classes = (parts[2] as string).split('.').filter((one) => one !== '');
  const attributes = [...(parts[3] as string).matchAll(/\[([\w-]+)=([^[\]]+)\]/g)].map(
    (one) => [one[1] as string, one[2] as string] as const,
  );
  const mark = {
    name: parts[1] as string,
    classes,
    attributes,
    hint: attributes[0]?.[1] ?? classes[0] ?? '',
  };
  marks.set(selector, mark);
  return mark;
}

/** An opening tag, parsed once, and only if a mark can match. */
class OpeningTag {
  readonly #text: string;
  #attributes: ReadonlyMap<string, string> | undefined;
  #classes: ReadonlySet<string> | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  fits(mark: Mark): boolean {
    if (mark.hint === '') return true;
    if (!this.#text.includes(mark.hint)) return false;
    this.#attributes ??= attributesOf(this.#text);
    const attributes = this.#attributes;
    if (mark.attributes.some(([name, value]) => attributes.get(name) !== value)) return false;
    this.#classes ??= new Set((attributes.get('class') ?? '').split(/\s+/));
    const classes = this.#classes;
    return mark.classes.every((one) => classes.has(one));
  }
}

type ByName = ReadonlyMap<string, readonly (readonly [key: string, mark: Mark])[]>;

function byName(selectors: readonly (readonly [key: string, selector: string])[]): ByName {
  const map = new Map<string, (readonly [string, Mark])[]>();
  for (const [key, selector] of selectors) {
    const mark = markOf(selector);
    map.set(mark.name, [...(map.get(mark.name) ?? []), [key, mark]]);
  }
  return map;
}

function keyOf(attributes: ByName, html: string, tag: Tags): string | undefined {
  const candidates = attributes.get(tag.name);
  if (candidates === undefined) return undefined;
  const opening = new OpeningTag(html.slice(tag.start, tag.end));
  return candidates.find(([, mark]) => opening.fits(mark))?.[0];
}

/** Selectors of the elements to return, under the caller's keys, and of those to drop. */
export interface CutTable<Key extends string> {
  readonly keep: Readonly<Record<Key, string>>;
  readonly drop?: readonly string[];
}

/** An element whose end is searched: its name, and how many elements of that name are open. */
interface Open {
  readonly name: string;
  depth: number;
}

/** Maximum elements to return: real pages have fewer than 4,000 elements in all (2026-07). */
const maxElements = 10_000;

const voids: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta source track wbr'.split(' '),
);

/**
 * Returns the outer HTML of every selected element, in order, under its key. An element inside a selected one belongs
 * to that one. Dropped elements are omitted everywhere. Throws `platform_changed` if the page ends inside an element or
 * has more than ten thousand.
 */
export function cut<Key extends string>(html: string, table: CutTable<Key>): Record<Key, string[]> {
  const keys = Object.keys(table.keep) as Key[];
  const cuts = Object.fromEntries(keys.map((key) => [key, []])) as unknown as Record<Key, string[]>;
  const keep = byName(keys.map((key) => [key, table.keep[key]]));
  const drop = byName((table.drop ?? []).map((selector) => ['', selector]));
  let element: (Open & { key: Key; parts: string[]; from: number }) | null = null;
  let skipped: Open | null = null;
  let count = 0;
  const tag = new Tags(html);
  while (tag.next()) {
    if (skipped !== null) {
      if (tag.name !== skipped.name) continue;
      skipped.depth += tag.closing ? -1 : 1;
      if (skipped.depth > 0) continue;
      skipped = null;
      if (element !== null) element.from = tag.end;
      continue;
    }
    if (!tag.closing && !voids.has(tag.name) && keyOf(drop, html, tag) !== undefined) {
      skipped = { name: tag.name, depth: 1 };
      element?.parts.push(html.slice(element.from, tag.start));
      continue;
    }
    if (element === null) {
      if (tag.closing) continue;
      // Browsers do not show a template's content, and css-select 7 finds nothing inside one either.
      if (tag.name === 'template') {
        skipped = { name: tag.name, depth: 1 };
        continue;
      }
      const key = keyOf(keep, html, tag) as Key | undefined;
      if (key === undefined) continue;
      count += 1;
      if (count > maxElements) throw new ExtractError('platform_changed', 'The page has too many sections.');
      if (voids.has(tag.name)) cuts[key].push(html.slice(tag.start, tag.end));
      else element = { name: tag.name, depth: 1, key, parts: [], from: tag.start };
    } else if (tag.name === element.name) {
      element.depth += tag.closing ? -1 : 1;
      if (element.depth > 0) continue;
      element.parts.push(html.slice(element.from, tag.end));
      cuts[element.key].push(element.parts.join(''));
      element = null;
    }
  }
  if (element !== null || skipped !== null) {
    throw new ExtractError('platform_changed', 'The page is cut off in the middle of a section.');
  }
  return cuts;
}

/** Tags after which a head ends in any case. Real ones have at most 240 (2026-11). */
const maxHeadTags = 2000;

/** Returns the attributes of the tags of one name before the page's body: `meta` and `link` of the head. */
export function headTags(html: string, name: string): ReadonlyMap<string, string>[] {
  const elements: ReadonlyMap<string, string>[] = [];
  const tag = new Tags(html);
  for (let tags = 0; tags < maxHeadTags && tag.next(); tags += 1) {
    if (tag.name === 'body' || (tag.name === 'head' && tag.closing)) break;
    if (tag.name === name && !tag.closing) elements.push(attributesOf(html.slice(tag.start, tag.end)));
  }
  return elements;
}

/** Maximum characters of a tree: far more than any real section or small page has (2026-11). */
const maxTreeLength = 1_000_000;

/** Throws `platform_changed` for markup that is too long for a tree, which would take a second for each 8 MB. */
export function refuseLong(html: string): void {
  if (html.length <= maxTreeLength) return;
  throw new ExtractError('platform_changed', `A section of the page has ${html.length} characters.`);
}

/**
 * Returns a page as a tree of elements. The library is loaded on demand, because most pages carry their data as JSON.
 */
export async function elements(html: string): Promise<CheerioAPI> {
  refuseLong(html);
  const { load } = await import('cheerio/slim');
  return load(html);
}
