import { at } from '../../read/json.js';
import type { Page } from '../../web/page-source.js';
import {
  type Missing,
  notFound,
  refuseDocument,
  refusePage,
  refuseWithoutAnswer,
  refuseWithoutPageData,
} from './outcome.js';
import { type Body, bodyOf, type Data, dataOf } from './page-body.js';

/**
 * A thing that is looked for in a body. The key under which it stands tells the shape, and with it the reader;
 * a reader that answers undefined says that the object of that name is not the one that is meant.
 */
export interface Subject<T> {
  readonly roots: readonly (readonly [key: string, read: (value: unknown, data: Data) => T | undefined])[];
  /** A key that, in a page, only the block with the whole subject names. */
  readonly hint: string;
}

/** A body is a page, or the answer of the one document that may answer `null` for “there is none”. */
export type Source = 'page' | 'document';

/** Pages of 2024 and later hold the answers of documents, under their roots. */
const inPages = /^x(ig|dt)_/;

/**
 * Looks for a subject in a body; undefined where its data is not there. Throws the refusal or the missing
 * thing that the body is instead.
 */
export function seek<T>(page: Page, source: Source, subject: Subject<T>, missing: Missing): T | undefined {
  return sought(page, source, subject, missing, bodyOf(page));
}

/** The same where the body must hold the subject: one without it is refused or changed. */
export function find<T>(page: Page, source: Source, subject: Subject<T>, missing: Missing): T {
  const body = bodyOf(page);
  const found = sought(page, source, subject, missing, body);
  if (found !== undefined) return found;
  if (body.kind === 'html') refuseWithoutPageData(body.html(), missing);
  refuseWithoutAnswer(body.json, missing);
}

function sought<T>(
  page: Page,
  source: Source,
  { roots, hint }: Subject<T>,
  missing: Missing,
  body: Body,
): T | undefined {
  if (source === 'page') refusePage(page, body, missing);
  else refuseDocument(page, body);
  let none = false;
  const keys = roots.map(([key]) => key).filter((key) => inPages.test(key));
  for (const data of dataOf(body, keys, hint)) {
    for (const [key, read] of roots) {
      const value = at(data, key);
      none ||= value === null;
      const told = value === undefined || value === null ? undefined : read(value, data);
      if (told !== undefined) return told;
    }
  }
  // An answer with errors is null because of them.
  if (none && !(body.kind === 'json' && Array.isArray(at(body.json, 'errors')))) throw notFound(missing);
  return undefined;
}
