import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { exitStatus } from '../../../lib/errors/catalogue.js';
import {
  catalogue,
  defaultDocsBase,
  type ErrorCode,
  ExtractError,
} from '../../../lib/errors/extract-error.js';
import type { SeenPage } from '../../../lib/errors/seen.js';
import { Interruption } from '../../../src/faces/cli/exit-status-error.js';
import { argv, assertExit, extract, type Surroundings } from '../../support/cli.js';
import { escapes } from '../../support/control-characters.js';
import { inventedRows } from '../../support/invented-rows.js';

const failing = (error: unknown, args: readonly string[] = [], surroundings: Surroundings = {}) =>
  extract(argv`maps harbour x ${args}`, {
    ...{ endpoints: inventedRows, extractor: { answer: () => Promise.reject(error) } },
    ...surroundings,
  });

const details = { requestId: 'req_1', docsBase: 'https://docs.example' };
const look = { stdoutColumns: 80, stderrIsTTY: true };
const plain = { ...look, settings: { color: false } };

describe('errors for programs', () => {
  test('every code: the API’s error object on one line, nothing on stdout, the status of its class', async () => {
    for (const code of Object.keys(catalogue) as ErrorCode[]) {
      const error = new ExtractError(code, undefined, details);
      const { status, out, err, closed } = await failing(error, ['--json'], look);
      const expected = [exitStatus[catalogue[code].type], '', `${JSON.stringify({ error })}\n`, true];
      assert.deepEqual([status, out, err, closed], expected);
    }
  });

  test('the statuses are those that are documented', () => {
    const statuses = Object.fromEntries(Object.values(catalogue).map(({ type }) => [type, exitStatus[type]]));
    assert.deepEqual(statuses, {
      ...{ invalid_request: 2, conflict: 2, authentication: 3, permission: 3, billing: 3 },
      ...{ not_found: 4, gone: 4, platform: 5, rate_limit: 6, internal: 1 },
    });
  });

  test('is an object on request or without a terminal, otherwise lines for people', async () => {
    const error = new ExtractError('place_not_found');
    const isJson = async (args: readonly string[], stderrIsTTY: boolean) =>
      (await failing(error, args, { stdoutColumns: 80, stderrIsTTY })).err.startsWith('{"error":');
    assert.equal(await isJson([], true), false);
    assert.equal(await isJson([], false), true);
    for (const args of [['--json'], argv`--format json`, ['--format=ndjson']])
      assert.equal(await isJson(args, true), true);
    assert.equal(await isJson(argv`--format csv`, true), false);
    assert.equal(await isJson(argv`--format table`, false), false);
  });

  test('an invalid command line is reported the same way', async () => {
    const ran = await extract(argv`maps harbour x --frob --json`, { ...look, endpoints: inventedRows });
    const { error } = JSON.parse(ran.err);
    assert.deepEqual(Object.keys(error), ['type', 'code', 'message', 'docs']);
    assert.equal(error.docs, 'https://docs.example/docs/errors/unknown_parameter');
  });

  test('link to no page that is not served, and a typing mistake has no request id', async () => {
    const settings = { docsUrl: defaultDocsBase };
    const slip = await extract(argv`maps harbour x --frob`, { settings, endpoints: inventedRows });
    assert.deepEqual(Object.keys(JSON.parse(slip.err).error), ['type', 'code', 'message']);
    assert.doesNotMatch(slip.err, /localhost|extract errors/);
    const { err } = await failing(new ExtractError('place_not_found'), ['--json'], { settings });
    assert.deepEqual(Object.keys(JSON.parse(err).error), ['type', 'code', 'message', 'request_id']);
    assert.doesNotMatch(err, /localhost/);
    const absent = await extract(argv`batch maps/place absent.txt`, { settings });
    assert.match(absent.err, /No such file: absent\.txt\. extract errors invalid_parameter explains it\./);
  });
});

describe('errors for people', () => {
  test('the code, the message, what to do, where to read', async () => {
    const error = new ExtractError('place_not_found', 'No quay.', details);
    const { err } = await failing(error, [], plain);
    assert.equal(
      err,
      'place_not_found  No quay.\nCheck the ID; places are merged and removed.\n' +
        'extract errors place_not_found · req_1\nhttps://docs.example/docs/errors/place_not_found\n',
    );
  });

  test('page content cannot control the terminal', async () => {
    const error = new ExtractError('platform_changed', 'About \u001b[2J\u009b1m.');
    assert.doesNotMatch((await failing(error, [], plain)).err, escapes);
  });
});

describe('faults of ours', () => {
  test('end with 1 and a request id, and without a stack', async () => {
    const { err, closed } = assertExit(await failing(new TypeError('secret detail'), ['--json'], look), 1);
    const { error } = JSON.parse(err);
    assert.deepEqual([error.code, closed], ['internal_error', true]);
    assert.match(error.request_id, /^req_[0-9A-Z]{26}$/);
    assert.doesNotMatch(err, /secret detail|at .*\.ts/);
  });

  test('of the system are reported in its words, with the file', async () => {
    const cause = await mkdir(path.join(import.meta.filename, 'new')).catch((thrown: unknown) => thrown);
    const { err } = assertExit(await failing(cause, ['--json'], look), 1);
    const { error } = JSON.parse(err);
    assert.equal(error.code, 'internal_error');
    assert.match(error.message, /report\.test\.\w+\/new cannot be used: not a directory \(ENOTDIR\)\./);
    assert.doesNotMatch(error.message, /should not/);
  });

  test('show what a failed call received from the platform on request', async () => {
    const page = { method: 'GET', url: 'https://example.org/a', document: null, finalUrl: null } as const;
    const content = { status: 200, bytes: 12, title: 'A shell', names: ['ErrorRoute'], failure: null };
    const seen: readonly SeenPage[] = [{ ...page, ...content }];
    const error = new ExtractError('platform_blocked', undefined, { seen });
    const { err } = await failing(error, argv`--format table`, { settings: { debug: true } });
    assert.match(err, /^seen: GET https:\/\/example\.org\/a 200 12 bytes "A shell" \[ErrorRoute\]$/m);
    const { err: json } = await failing(error, ['--json'], { settings: { debug: true } });
    assert.deepEqual(JSON.parse(json.trim().split('\n')[1] ?? ''), { seen });
    assert.match((await failing(error, argv`--debug --format table`, {})).err, /^seen: GET /m);
    assert.doesNotMatch((await failing(error, [], {})).err, /seen/);
  });
});

test('interruptions end with the status of their signal', async () => {
  assert.equal((await failing(new Interruption('SIGINT'))).status, 130);
  const { out, err } = assertExit(await failing(new Interruption('SIGTERM'), ['--json']), 143);
  assert.deepEqual([out, err], ['', 'Interrupted.\n']);
});

describe('a browser', () => {
  const advice = (code: ErrorCode, surroundings: Surroundings = {}) =>
    failing(new ExtractError(code), [], { ...plain, ...surroundings });
  const none = { config: { browser: 'auto', browserPath: '/nowhere/chromium' } } as const;

  test('is suggested to a person once, if there is none and the page was refused', async () => {
    for (const code of ['platform_blocked', 'platform_restricted'] as const)
      assert.match((await advice(code, none)).err, / A browser may work\. EXTRACT_BROWSER_PATH names/);
  });

  test('is not suggested for other errors, if disabled, to programs, or to clients of a server', async () => {
    for (const ran of [
      advice('profile_not_found', none),
      advice('platform_blocked', { config: { ...none.config, browser: 'never' } }),
      advice('platform_blocked', { ...none, stderrIsTTY: false }),
      advice('platform_blocked', { config: { ...none.config, baseUrl: 'https://x.test/v1' } }),
    ])
      assert.doesNotMatch((await ran).err, /browser/i);
  });
});
