import assert from 'node:assert/strict';
import { ExtractError } from '../../lib/errors/extract-error.js';

/** The ExtractError that a promise rejects with. */
export async function refusalOf(work: Promise<unknown>): Promise<ExtractError> {
  const error = await work.then(
    () => assert.fail('it answered'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ExtractError, String(error));
  return error;
}

/** An answer of a server, as text. */
export const goodAnswer = JSON.stringify({
  data: { a: 1 },
  meta: { request_id: 'req_1', next_cursor: null },
});

/** The error of a server that limits the rate, as text. */
export const limitedAnswer = JSON.stringify({
  error: {
    type: 'rate_limit',
    code: 'rate_limited',
    message: 'Slowly.',
    docs: 'https://d.test/docs/errors/rate_limited',
    request_id: 'req_2',
  },
});
