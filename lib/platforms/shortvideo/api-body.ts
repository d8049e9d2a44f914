import { at, parseJson } from '../../read/json.js';
import type { Page } from '../../web/page-source.js';
import { refuse, refuseByCaptcha, refuseWithoutData } from './outcome.js';

/**
 * Body of an answer of the platform's own web interface. An empty 200 is how it refuses a request without a
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
