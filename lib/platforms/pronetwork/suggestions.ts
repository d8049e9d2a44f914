import { ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
import { textOrNull } from '../../read/convert.js';
import { at, parseJson } from '../../read/json.js';
import { isEmpty } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { acceptText } from './outcome.js';

/** A place or a company with the platform's number and spelling. */
export interface Suggestion {
  readonly id: string;
  readonly name: string;
}

/** Reads the suggestions for what visitors type, best first (2026-05 to 2026-09). */
export function readSuggestions(page: Page): readonly Suggestion[] {
  const text = acceptText(page);
  if (isEmpty(page)) throw refusal('shell', 'The platform answered with nothing instead of suggestions.');
  const hits = parseJson(text, 'the suggestions');
  if (!Array.isArray(hits)) throw new ExtractError('platform_changed', 'The suggestions are not a list.');
  return hits.flatMap((hit) => {
    const [id, name] = [textOrNull(at(hit, 'id')), textOrNull(at(hit, 'displayName'))];
    return id === null || !/^\d{1,20}$/.test(id) || name === null ? [] : [{ id, name }];
  });
}
