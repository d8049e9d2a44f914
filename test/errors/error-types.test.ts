import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { catalogue, type ErrorCode, type ErrorType } from '../../lib/errors/catalogue.js';
import * as classes from '../../lib/errors/error-types.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { StorageError } from '../../lib/errors/storage-error.js';
import { packageRoot } from '../../lib/runtime/package-root.js';

const classNames: Readonly<Record<ErrorType, keyof typeof classes>> = {
  invalid_request: 'InvalidRequestError',
  authentication: 'AuthenticationError',
  permission: 'PermissionDeniedError',
  billing: 'BillingError',
  not_found: 'NotFoundError',
  gone: 'GoneError',
  platform: 'PlatformError',
  rate_limit: 'RateLimitError',
  conflict: 'ConflictError',
  internal: 'InternalError',
};

test('an error is an instance of its type’s class only', () => {
  assert.equal(Object.keys(classes).length, Object.keys(classNames).length);
  for (const code of Object.keys(catalogue) as ErrorCode[]) {
    const error = new ExtractError(code);
    const those = Object.entries(classes).filter(([, one]) => error instanceof one);
    const names = those.map(([name]) => name);
    assert.deepEqual(names, [classNames[catalogue[code].type]]);
  }
  assert.ok(new StorageError('full', 'The disk is full.') instanceof classes.InternalError);
  for (const other of [new Error('x'), { type: 'rate_limit' }, null, 'x'])
    assert.ok(!(other instanceof classes.RateLimitError));
});

test('the guide names the classes', () => {
  const guide = readFileSync(path.join(packageRoot(), 'docs', 'library.md'), 'utf8');
  const rows = [...guide.matchAll(/^\| `(\w+Error)` \| `(\w+)` \|$/gm)];
  assert.deepEqual(Object.fromEntries(rows.map(([, name, type]) => [type, name])), classNames);
});

test('the classes also create errors, and narrow the code', () => {
  const error: unknown = new classes.RateLimitError('rate_limited', 'Slowly.', { retryAfter: 3 });
  assert.ok(error instanceof ExtractError && error instanceof classes.RateLimitError);
  const code: 'rate_limited' = error.code;
  assert.deepEqual(
    [code, error.type, error.status, error.retryAfter],
    ['rate_limited', 'rate_limit', 429, 3],
  );
  // @ts-expect-error a code of another type
  assert.ok(new classes.RateLimitError('place_not_found') instanceof classes.NotFoundError);
});
