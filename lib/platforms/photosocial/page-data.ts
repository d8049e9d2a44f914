import { textOrNull } from '../../read/convert.js';
import { at, between, parseJson } from '../../read/json.js';
import { objectFrom } from '../../read/json-cut.js';
import type { Page } from '../../web/page-source.js';
import {
  type Body,
  type Missing,
  notFound,
  ofAnother,
  refuseDocument,
  refusePage,
  refuseWithoutAnswer,
  refuseWithoutPageData,
} from './outcome.js';

/**
 * The body in UTF-8: the bytes as they came, or re-encoded where the answer names another charset. For pages
 * of which only a small part is decoded.
 */
export function utf8Of(page: Page): Buffer {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(page.headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') return Buffer.from(page.text());
  return Buffer.from(page.body.buffer, page.body.byteOffset, page.body.byteLength);
}

/** An object that holds data under its root keys: what a document answers as `data`, wherever a page keeps it. */
type Data = Readonly<Record<string, unknown>>;

/** Data of a body, and what was asked for it. */
interface Found {
  readonly data: Data;
  /** Variables of the question that the page itself asked for this data; undefined where it names none. */
  asked(): unknown;
}

/** Reads the object under a key. Undefined for an object that has the name but is another one. */
type Reader<T> = (value: unknown, data: Data, asked: Found['asked']) => T | undefined;

/** The objects that a caller wants from a body. The key under which an object stands names its shape, and so its reader. */
export interface Subject<T> {
  readonly roots: readonly (readonly [key: string, read: Reader<T>])[];
  /** A key that, in a page, only the block with the whole subject holds. */
  readonly hint: string;
  /** Name or id of what was read, as the body has it. */
  nameOf(value: T): unknown;
}

/** A body is a page, or the answer of the one document that may answer `null` for “there is none”. */
export type Source = 'page' | 'document';

/** Put before some answers, so that no other site can run them as a script. */
const guard = 'for (;;);';

/**
 * The body of an answer. A streamed answer is one JSON document a line, of which the first holds the data. Only some 30
 * KB of a page of 1 MB are wanted, so the page is searched as bytes and only those are decoded.
 */
export function bodyOf(page: Page): Body {
  const bytes = utf8Of(page);
  const beginning = bytes.toString('utf8', 0, 128);
  const guarded = beginning.startsWith(guard) ? guard.length : 0;
  const blank = /^[\s\uFEFF]*/.exec(beginning.slice(guarded))?.[0].length ?? 0;
  const first = beginning[guarded + blank];
  if (first !== '{' && first !== '[') return { kind: 'html', bytes, html: () => page.text() };
  const text = page.text().slice(guarded).trimStart();
  const end = text.indexOf('\n{');
  return { kind: 'json', json: parseJson(end < 0 ? text : text.slice(0, end), 'The answer') };
}

const isObject = (value: unknown): value is Data =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Before each answer in a page stands the id of the preloader that asked for it. */
const preloader = /^adp_\w+$/;

/**
 * Objects of a tree that own the key, outermost first, each with its preloader. The walk does not enter an object
 * that it has found.
 */
function* owners(tree: unknown, key: string): Generator<readonly [data: Data, preloader: string | null]> {
  let level: [node: unknown, preloader: string | null][] = [[tree, null]];
  while (level.length > 0) {
    const below: typeof level = [];
    for (const [node, outer] of level) {
      if (node === null || typeof node !== 'object') continue;
      if (isObject(node) && Object.hasOwn(node, key)) {
        yield [node, outer];
        continue;
      }
      const [first] = Array.isArray(node) ? node : [];
      const id = typeof first === 'string' && preloader.test(first) ? first : outer;
      for (const value of Object.values(node))
        if (value !== null && typeof value === 'object') below.push([value, id]);
    }
    level = below;
  }
}

/** Variables of a preloader's question, as the page lists them beside its id (2026-01). */
function variablesOf(page: Buffer, id: string | null): unknown {
  const found = id === null ? -1 : page.indexOf(`"preloaderID":"${id}"`);
  const variables = found < 0 ? -1 : page.indexOf('"variables":', found);
  const next = page.indexOf('"preloaderID":', found + 1);
  const isOwn = variables >= 0 && (next < 0 || variables < next);
  return isOwn ? objectFrom(page, variables + '"variables":'.length) : undefined;
}

/**
 * The JSON of each script element that names a key, those first that also name `hint`. The page is searched for the key
 * and each part of it looked at once, whatever it holds. An element that is cut off ends with the page.
 */
function* scriptsWith(bytes: Buffer, key: string, hint: string): Generator<string> {
  const mark = `"${key}":`;
  const others: Buffer[] = [];
  let from = 0;
  for (let found = bytes.indexOf(mark); found >= 0; found = bytes.indexOf(mark, from)) {
    const before = bytes.subarray(from, found);
    const open = before.lastIndexOf('<script');
    const head = before.indexOf('>', Math.max(open, 0));
    const close = bytes.indexOf('</script>', found);
    const end = close < 0 ? bytes.length : close;
    if (open >= 0 && head >= 0 && before.subarray(open, head).includes('application/json')) {
      const json = bytes.subarray(from + head + 1, end);
      if (json.includes(`"${hint}":`)) yield json.toString('utf8');
      else others.push(json);
    }
    from = end;
  }
  for (const json of others) yield json.toString('utf8');
}

/** Data of the pages of 2012-2021, one list a kind of page. */
function* entryData(shared: unknown): Generator<Data> {
  const kinds = at(shared, 'entry_data');
  for (const pages of isObject(kinds) ? Object.values(kinds) : []) {
    const page = at(pages, 0);
    for (const data of [at(page, 'graphql'), page]) if (isObject(data)) yield data;
  }
}

/**
 * The data of a body, block by block; a block is parsed when it is asked for. In pages of 2024 and later the data owns
 * one of `keys`, the likelier ones first. `hint` is a key that only the right block names.
 */
export function* dataOf(body: Body, keys: readonly string[], hint: string): Generator<Found> {
  const asked = () => undefined;
  if (body.kind === 'json') {
    for (const data of [at(body.json, 'data'), at(body.json, 'graphql'), body.json]) {
      if (isObject(data)) yield { data, asked };
    }
    for (const data of entryData(body.json)) yield { data, asked };
    return;
  }
  for (const key of keys) {
    for (const json of scriptsWith(body.bytes, key, hint)) {
      for (const [data, id] of owners(parseJson(json, 'A data script of the page'), key)) {
        yield { data, asked: () => variablesOf(body.bytes, id) };
      }
    }
  }
  const shared = between(body.html(), 'window._sharedData = ', ';</script>');
  if (shared === null) return;
  for (const data of entryData(parseJson(shared, 'The data of the page'))) yield { data, asked };
}

/** Pages of 2024 and later hold the answers of documents, under their roots. */
const inPages = /^x(ig|dt)_/;

/** True for what a body holds of the very thing that was asked for. */
type IsAsked<T> = (value: T) => boolean;

/** The requested thing as a body holds it; undefined where it is absent. Throws what a body that is refused means. */
export function findOptional<T>(
  page: Page,
  source: Source,
  subject: Subject<T>,
  missing: Missing,
  isAsked: IsAsked<T>,
): T | undefined {
  return search(page, source, subject, missing, isAsked, bodyOf(page)).own;
}

/** The same where the body must hold it: a body without it is a refusal, a changed page, or about another thing. */
export function find<T>(
  page: Page,
  source: Source,
  subject: Subject<T>,
  missing: Missing,
  isAsked: IsAsked<T>,
): T {
  const body = bodyOf(page);
  const { own, other, isNull } = search(page, source, subject, missing, isAsked, body);
  if (own !== undefined) return own;
  if (other !== undefined) throw ofAnother(textOrNull(subject.nameOf(other)));
  if (body.kind === 'json') {
    // An answer with errors is null because of them.
    if (!isNull || Array.isArray(at(body.json, 'errors'))) refuseWithoutAnswer(body.json, missing);
    throw notFound(missing);
  }
  const roots = subject.roots.map(([key]) => key);
  refuseWithoutPageData(body.html(), missing, roots);
}

/**
 * The requested thing as a body holds it, the first other thing in it, and whether null stands in place of one. In a
 * page that is one block of several: another may hold the thing.
 */
function search<T>(
  page: Page,
  source: Source,
  { roots, hint }: Subject<T>,
  missing: Missing,
  isAsked: IsAsked<T>,
  body: Body,
): { readonly own?: T; readonly other?: T | undefined; readonly isNull: boolean } {
  if (source === 'page') refusePage(page, body, missing);
  else refuseDocument(page, body);
  let isNull = false;
  const keys = roots.map(([key]) => key).filter((key) => inPages.test(key));
  let other: T | undefined;
  for (const { data, asked } of dataOf(body, keys, hint)) {
    for (const [key, read] of roots) {
      const value = at(data, key);
      // What stands beside the data of an answer, as in the report of an error, says nothing of the subject.
      isNull ||= value === null && !(body.kind === 'json' && data === body.json);
      const own = value === undefined || value === null ? undefined : read(value, data, asked);
      if (own !== undefined && isAsked(own)) return { own, isNull };
      other ??= own;
    }
  }
  return { other, isNull };
}
