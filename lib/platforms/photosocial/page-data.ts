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
 * Returns the body in UTF-8: as received, or re-encoded from another charset. For pages of which only a small part is
 * decoded.
 */
export function utf8Of(page: Page): Buffer {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(page.headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') return Buffer.from(page.text());
  return Buffer.from(page.body.buffer, page.body.byteOffset, page.body.byteLength);
}

/** An object with data under its root keys: a document's `data`, wherever a page stores it. */
type Data = Readonly<Record<string, unknown>>;

/** Data of a body, and the query it answers. */
interface DataBlock {
  readonly data: Data;
  /** Variables of the page's own query for this data; undefined if it has none. */
  query(): unknown;
}

/** Reads the object under a key. Undefined for an object of another kind with the same name. */
type Reader<T> = (value: unknown, data: Data, query: DataBlock['query']) => T | undefined;

/** What a caller wants from a body. The key of an object determines its shape, and so its reader. */
export interface Subject<T> {
  readonly roots: readonly (readonly [key: string, read: Reader<T>])[];
  /** A key that only a page's block with the complete subject contains. */
  readonly hint: string;
  /** Name or id of what was read, as in the body. */
  nameOf(value: T): unknown;
}

/** A page, or the answer of the one document that may answer `null` for “there is none”. */
export type Source = 'page' | 'document';

/** Prefix of some responses, so that no other site can run them as a script. */
const guard = 'for (;;);';

/**
 * Returns the body of a response. A streamed response is one JSON document per line, and the first holds the data. Only
 * some 30 KB of a 1 MB page are needed, so the page is searched as bytes and only those are decoded.
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

/** Each answer in a page follows the id of the preloader that requested it. */
const preloader = /^adp_\w+$/;

/** Yields the outermost objects of a tree that own the key, each with its preloader. */
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

/** Returns the variables of a preloader's query, which the page lists next to its id (2026-01). */
function variablesOf(page: Buffer, id: string | null): unknown {
  const start = id === null ? -1 : page.indexOf(`"preloaderID":"${id}"`);
  const variables = start < 0 ? -1 : page.indexOf('"variables":', start);
  const next = page.indexOf('"preloaderID":', start + 1);
  const isOwn = variables >= 0 && (next < 0 || variables < next);
  return isOwn ? objectFrom(page, variables + '"variables":'.length) : undefined;
}

/**
 * Yields the JSON of each script element that contains a key, those that also contain `hint` first. Searches the page
 * for the key only once. A truncated element ends with the page.
 */
function* scriptsWith(bytes: Buffer, key: string, hint: string): Generator<string> {
  const mark = `"${key}":`;
  const others: Buffer[] = [];
  let from = 0;
  for (let start = bytes.indexOf(mark); start >= 0; start = bytes.indexOf(mark, from)) {
    const before = bytes.subarray(from, start);
    const open = before.lastIndexOf('<script');
    const head = before.indexOf('>', Math.max(open, 0));
    const close = bytes.indexOf('</script>', start);
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

/** Yields the data of pages of 2012-2021, one list per kind of page. */
function* entryData(shared: unknown): Generator<Data> {
  const kinds = at(shared, 'entry_data');
  for (const pages of isObject(kinds) ? Object.values(kinds) : []) {
    const page = at(pages, 0);
    for (const data of [at(page, 'graphql'), page]) if (isObject(data)) yield data;
  }
}

/**
 * Yields the data of a body, block by block, parsing each on demand. In pages of 2024 and later the data owns one of
 * `keys`, the likelier ones first. `hint` is a key that only the right block contains.
 */
export function* dataOf(body: Body, keys: readonly string[], hint: string): Generator<DataBlock> {
  const noQuery = () => undefined;
  if (body.kind === 'json') {
    for (const data of [at(body.json, 'data'), at(body.json, 'graphql'), body.json]) {
      if (isObject(data)) yield { data, query: noQuery };
    }
    for (const data of entryData(body.json)) yield { data, query: noQuery };
    return;
  }
  for (const key of keys) {
    for (const json of scriptsWith(body.bytes, key, hint)) {
      for (const [data, id] of owners(parseJson(json, 'A data script of the page'), key)) {
        yield { data, query: () => variablesOf(body.bytes, id) };
      }
    }
  }
  const shared = between(body.html(), 'window._sharedData = ', ';</script>');
  if (shared === null) return;
  for (const data of entryData(parseJson(shared, 'The data of the page'))) yield { data, query: noQuery };
}

/** Pages of 2024 and later hold document answers under their roots. */
const isInPages = (key: string) => /^x(ig|dt)_/.test(key);

type IsRequested<T> = (value: T) => boolean;

/** Returns the requested subject from a body; undefined if absent. Throws the meaning of a refused body. */
export function findOptional<T>(
  page: Page,
  source: Source,
  subject: Subject<T>,
  missing: Missing,
  isRequested: IsRequested<T>,
): T | undefined {
  return search(page, source, subject, missing, isRequested, bodyOf(page)).match;
}

/** Returns the requested subject from a body. If it is absent, throws a refusal, a changed page, or another subject. */
export function find<T>(
  page: Page,
  source: Source,
  subject: Subject<T>,
  missing: Missing,
  isRequested: IsRequested<T>,
): T {
  const body = bodyOf(page);
  const { match, mismatch, isNull } = search(page, source, subject, missing, isRequested, body);
  if (match !== undefined) return match;
  if (mismatch !== undefined) throw ofAnother(textOrNull(subject.nameOf(mismatch)));
  if (body.kind === 'json') {
    // An answer with errors is null because of them. A page request answered by a document got the answer to another
    // query.
    const isForeign = source === 'page' && Object.keys(at(body.json, 'data') ?? {}).some(isInPages);
    if (isForeign || !isNull || Array.isArray(at(body.json, 'errors')))
      refuseWithoutAnswer(body.json, missing);
    throw notFound(missing);
  }
  const roots = subject.roots.map(([key]) => key);
  refuseWithoutPageData(body.html(), missing, roots);
}

/**
 * Returns the requested subject in a body, the first other subject, and whether null replaces one. A page has several
 * blocks, any of which may hold the subject.
 */
function search<T>(
  page: Page,
  source: Source,
  { roots, hint }: Subject<T>,
  missing: Missing,
  isRequested: IsRequested<T>,
  body: Body,
): { readonly match?: T; readonly mismatch?: T | undefined; readonly isNull: boolean } {
  if (source === 'page') refusePage(page, body, missing);
  else refuseDocument(page, body);
  let isNull = false;
  const keys = roots.map(([key]) => key).filter(isInPages);
  let other: T | undefined;
  for (const { data, query } of dataOf(body, keys, hint)) {
    for (const [key, read] of roots) {
      const value = at(data, key);
      // Fields next to an answer's data, as in an error report, say nothing about the subject.
      isNull ||= value === null && !(body.kind === 'json' && data === body.json);
      const subject = value === undefined || value === null ? undefined : read(value, data, query);
      if (subject !== undefined && isRequested(subject)) return { match: subject, isNull };
      other ??= subject;
    }
  }
  return { mismatch: other, isNull };
}
