import { at, parseJson, scriptById } from '../../read/json.js';
import type { Page } from '../../web/page-source.js';

/** Returns the content of the script `api-data` on some mobile pages (2026); undefined for a page without it. */
export function apiDataOf(page: Page): unknown {
  const json = scriptById(page.text(), 'api-data');
  return json === null ? undefined : parseJson(json, 'The script api-data of the page');
}

/** True for a list of comments that are all about the video. */
const isCommentList = (value: unknown, id: string): value is readonly unknown[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((row) => at(row, 'cid') !== undefined && at(row, 'aweme_id') === id);

/**
 * Returns the comments embedded in a video's page, in the form of the comment list. The name they are stored under is
 * not public, so they are identified by their ids.
 */
export function commentRowsOf(page: Page, id: string): readonly unknown[] {
  const waiting: unknown[] = [apiDataOf(page)];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isCommentList(node, id)) return node;
    if (node !== null && typeof node === 'object')
      for (const part of Object.values(node)) if (part !== null) waiting.push(part);
  }
  return [];
}
