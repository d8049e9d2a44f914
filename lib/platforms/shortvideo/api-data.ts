import { at, parseJson, scriptById } from '../../read/json.js';
import type { Page } from '../../web/page-source.js';

/** The content of the script `api-data` of some pages for phones (2026); undefined for a page without it. */
export function apiDataOf(page: Page): unknown {
  const json = scriptById(page.text(), 'api-data');
  return json === null ? undefined : parseJson(json, 'The script api-data of the page');
}

/** True for a list of comments, each about the video. */
const isCommentList = (value: unknown, id: string): value is readonly unknown[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((row) => at(row, 'cid') !== undefined && at(row, 'aweme_id') === id);

/**
 * The comments that the page of a video holds itself, in the form of the comment list. Nothing public says under which
 * name they stand, so that their own ids tell them.
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
