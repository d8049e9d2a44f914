import { type ErrorCode, ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
import { textOrNull } from '../../read/convert.js';
import { at, listAt, parseJson } from '../../read/json.js';
import { refuseByStatus } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';

/** Prefix of every JSON body, so that no other site can run it as a script. */
export const guard = ")]}'";

/** Space, tab, line ends: some bodies begin with a blank line. */
const blanks = [0x20, 0x09, 0x0a, 0x0d];

/** True for a body of data, not a page for people: it begins with the guard, or with the list itself. */
export function isData(page: Page): boolean {
  const first = page.body.subarray(0, 64).find((byte) => !blanks.includes(byte));
  return first === 0x29 || first === 0x5b;
}

function jsonOf(page: Page): string {
  const text = page.text();
  const head = text.slice(0, 16).indexOf(guard);
  return head >= 0 ? text.slice(head + guard.length) : text;
}

/**
 * Throws for the platform's own failure report: `[["er", …, status, …], …]` instead of an answer. Any other status is a
 * fault of the platform. `missing` is the meaning of 404, as for a page's status.
 */
function refuseErrorReport(root: unknown, page: Page, missing: ErrorCode): void {
  if (at(root, 0, 0) !== 'er') return;
  const status = Number(at(root, 0, 5));
  if (status === 404)
    throw new ExtractError(missing, `The platform reported ${status}: the place does not exist.`);
  refuseByStatus({ ...page, status });
  throw new ExtractError(
    'platform_unavailable',
    `The platform reported an internal error${Number.isInteger(status) ? `: ${status}` : ''}.`,
  );
}

/** Returns the list in a data body. An empty list means that the session has expired or was refused. */
export function rootOf(page: Page, missing: ErrorCode = 'platform_changed'): readonly unknown[] {
  const root = parseJson(jsonOf(page), 'The answer');
  if (!Array.isArray(root)) {
    throw new ExtractError('platform_changed', 'The answer is not the expected list.');
  }
  if (root.length === 0) {
    throw refusal('shell', 'The platform answered with an empty list, its way of refusing.');
  }
  refuseErrorReport(root, page, missing);
  return root;
}

/** Yields the parts of a batch response: one list per line, each after a line with its length. */
function* partsOf(page: Page): Generator<unknown> {
  for (const line of jsonOf(page).split('\n')) {
    if (line.startsWith('[')) yield parseJson(line, 'A part of the answer');
  }
}

/** Returns the answer to a call of a batch under any of its names: the JSON in the third column of its row. */
export function batchAnswerOf(page: Page, ...names: readonly string[]): unknown {
  for (const part of partsOf(page)) {
    refuseErrorReport(part, page, 'platform_changed');
    for (const row of listAt(part)) {
      if (at(row, 0) !== 'wrb.fr' || !names.includes(String(at(row, 1)))) continue;
      const payload = at(row, 2);
      const code = at(row, 5, 0);
      if (typeof payload === 'string' && payload !== '[3]' && code === undefined) {
        return parseJson(payload, 'The answer');
      }
      throw new ExtractError(
        'platform_unavailable',
        `The platform reported an internal error${typeof code === 'number' ? `: ${code}` : ''}.`,
      );
    }
  }
  throw new ExtractError('platform_changed', 'The answer lacks the requested part.');
}

/** Tokens have 100 (reviews) to 700 (photos) characters; a longer one would not fit into a cursor. */
const maxTokenLength = 1500;

/**
 * Returns the platform's token for the next page; null on the last. Throws `platform_changed` for one that is too long.
 */
export function pageToken(value: unknown): string | null {
  const token = textOrNull(value);
  if (token !== null && token.length > maxTokenLength) {
    throw new ExtractError('platform_changed', `The token of the next page has ${token.length} characters.`);
  }
  return token;
}
