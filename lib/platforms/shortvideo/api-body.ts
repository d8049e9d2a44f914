import { at, parseJson } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { refuse, refuseByCaptcha, refuseWithoutData } from './outcome.js';

/**
 * Returns the body of a response of the platform's web interface. An empty 200 is how it refuses a request without a
 * signature (2023-2026), never an empty list.
 */
export function apiBody(page: Page): unknown {
  refuse(page);
  const text = page.text();
  if (!/^\s*\{/.test(text)) refuseWithoutData(page);
  const body = parseJson(text, 'The answer');
  if (at(body, 'type') === 'verify' || at(body, 'verifyConfig') !== undefined) refuseByCaptcha();
  return body;
}

const flags: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [0, false],
  [1, true],
  [false, false],
  [true, true],
]);

/**
 * Returns the cursor after a response with rows, and whether the response says that nothing follows. A response without
 * rows does not prove an end. Throws `platform_changed` if it does not say whether the list continues, or has no
 * cursor.
 */
export function continuation<Cursor>(
  flag: unknown,
  rows: readonly unknown[],
  cursor: Cursor | null,
): { readonly next: Cursor | null; readonly end: boolean } {
  const more = flags.get(flag);
  if (rows.length === 0) return { next: null, end: more === false };
  if (!requireValue(more, 'the flag that says whether its list continues')) return { next: null, end: true };
  return { next: requireValue(cursor, 'the place where its list continues'), end: false };
}
