import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exitStatus } from '../../lib/errors/catalogue.js';
import {
  catalogue,
  type ErrorCode,
  type ErrorDetails,
  ExtractError,
  isErrorCode,
  withoutStack,
} from '../../lib/errors/extract-error.js';
import { writeFailure } from '../../lib/errors/storage-error.js';

/** The contract's table: what a code means to a client must never change. */
const contract: Record<string, [type: string, status: number]> = {
  ...Object.fromEntries(
    'missing_parameter conflicting_parameters invalid_parameter unknown_parameter renamed_parameter invalid_url invalid_cursor cursor_expired invalid_body too_many_inputs webhook_url_not_https webhook_url_not_allowed idempotency_mismatch'
      .split(' ')
      .map((code) => [code, ['invalid_request', 400]]),
  ),
  missing_api_key: ['authentication', 401],
  invalid_api_key: ['authentication', 401],
  revoked_api_key: ['authentication', 401],
  ...Object.fromEntries(
    'email_not_verified platform_not_allowed fresh_not_available disposable_email key_limit_reached storage_full'
      .split(' ')
      .map((code) => [code, ['permission', 403]]),
  ),
  insufficient_credits: ['billing', 403],
  ...Object.fromEntries(
    'profile_not_found company_not_found place_not_found post_not_found video_not_found hashtag_not_found job_not_found archive_not_found schedule_not_found link_not_found endpoint_not_found account_private subject_suppressed'
      .split(' ')
      .map((code) => [code, ['not_found', 404]]),
  ),
  method_not_allowed: ['invalid_request', 405],
  job_not_finished: ['conflict', 409],
  job_already_finished: ['conflict', 409],
  schedule_ended: ['conflict', 409],
  idempotency_in_progress: ['conflict', 409],
  job_cancelled: ['conflict', 409],
  results_expired: ['gone', 410],
  body_too_large: ['invalid_request', 413],
  rate_limited: ['rate_limit', 429],
  ...Object.fromEntries(
    'platform_blocked platform_login_required platform_restricted platform_rate_limited platform_unavailable platform_timeout platform_changed'
      .split(' ')
      .map((code) => [code, ['platform', 502]]),
  ),
  internal_error: ['internal', 500],
};

describe('the catalogue of errors', () => {
  test('has exactly the contract’s codes, each with its type and status', () => {
    const entries = Object.fromEntries(
      Object.entries(catalogue).map(([code, { type, status }]) => [code, [type, status]]),
    );
    assert.deepEqual(entries, contract);
  });

  test('describes what happened and what to do for every code', () => {
    for (const [code, { summary, next }] of Object.entries(catalogue)) {
      assert.match(summary, /^[A-Z“].*\.$/, code);
      assert.match(next, /^[A-Z“].*\.$/, code);
    }
  });

  test('assigns every class an exit status', () => {
    const statuses = Object.keys(contract).map((code) => exitStatus[catalogue[code as ErrorCode].type]);
    assert.deepEqual([...new Set(statuses)].sort(), [1, 2, 3, 4, 5, 6]);
  });

  test('an error is exactly the five documented keys', () => {
    const first = new ExtractError('profile_not_found', 'No such account.', { cause: new Error('x') });
    const error = first.within('req_1', 'https://example.test');
    assert.deepEqual(JSON.parse(JSON.stringify({ error })), {
      error: {
        type: 'not_found',
        code: 'profile_not_found',
        message: 'No such account. Check the name; the account may have been renamed, removed or banned.',
        docs: 'https://example.test/docs/errors/profile_not_found',
        request_id: 'req_1',
      },
    });
    assert.equal(error.status, 404);
    assert.ok(error.cause instanceof Error);
    assert.ok(error instanceof Error);
  });

  test('an error keeps its first request ID', () => {
    const first = new ExtractError('platform_blocked', undefined, { retryAfter: 3 });
    const error = first.within('req_1', 'https://a.test');
    const again = error.within('req_2', 'https://a.test');
    assert.equal(again.requestId, 'req_1');
    assert.equal(again.retryAfter, 3);
  });

  test('a failed write names a cause that the operator can remove, or its code', () => {
    const messageOf = (code: string) =>
      writeFailure('The file cannot be written', Object.assign(new Error('inside'), { code })).message;
    assert.equal(messageOf('ENOSPC'), 'The file cannot be written: its disk is full; free some space.');
    assert.match(messageOf('EACCES'), /: it is not writable; check the permissions of its folder\.$/);
    assert.match(messageOf('EMFILE'), /raise the limit \(ulimit -n\)\.$/);
    assert.match(messageOf('EXDEV'), /^The file cannot be written \(EXDEV\)\. Report it with the request ID/);
  });

  test('says whether the same call may succeed later', () => {
    const codes = Object.keys(catalogue) as ErrorCode[];
    const retryable = codes.filter((code) => new ExtractError(code).retryable);
    assert.ok(retryable.includes('rate_limited') && retryable.includes('platform_timeout'));
    for (const code of retryable)
      assert.ok(['rate_limit', 'platform', 'internal', 'conflict'].includes(catalogue[code].type), code);
    const lasting = [
      'platform_changed',
      'platform_restricted',
      'place_not_found',
      'missing_parameter',
    ] as const;
    for (const code of lasting) assert.equal(new ExtractError(code).retryable, false, code);
  });

  test('contains its codes only', () => {
    assert.ok(isErrorCode('platform_changed'));
    assert.ok(!isErrorCode('toString'));
  });
});

describe('stacks', () => {
  test('a rethrown error keeps the first stack', () => {
    const limits: number[] = [];
    class WatchedError extends ExtractError {
      override again(message: string, details: ErrorDetails): ExtractError {
        limits.push(Error.stackTraceLimit);
        return super.again(message, details);
      }
    }
    const limit = Error.stackTraceLimit;
    const error = new WatchedError('rate_limited');
    const detailed = error.within('req_1', 'https://docs.example');
    assert.deepEqual([limits, Error.stackTraceLimit], [[0], limit]);
    assert.equal(detailed.stack, error.stack);
    assert.match(error.stack ?? '', /errors\.test/);
  });

  test('an error without a stack does not affect other stacks', () => {
    const limit = Error.stackTraceLimit;
    assert.doesNotMatch(withoutStack(() => new ExtractError('rate_limited')).stack ?? '', /\n +at /);
    assert.throws(() =>
      withoutStack(() => {
        throw new Error('It cannot be made.');
      }),
    );
    assert.equal(Error.stackTraceLimit, limit);
  });
});
