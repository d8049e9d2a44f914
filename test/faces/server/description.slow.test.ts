import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { endpoints } from '../../../lib/endpoints.js';
import { catalogue } from '../../../lib/errors/extract-error.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { assertDescribed } from '../../support/api-description.js';
import { testServer } from '../../support/server.js';

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const server = await testServer();

interface Operation {
  readonly operationId: string;
  readonly 'x-credits': number;
  readonly parameters: readonly { readonly name: string; readonly required: boolean }[];
  readonly responses: Readonly<Record<string, Response>>;
}
interface Response {
  readonly content: Readonly<
    Record<string, { readonly examples: Readonly<Record<string, { value: unknown }>> }>
  >;
}

const { body } = (await server.ask('/openapi.json')) as unknown as {
  body: {
    readonly openapi: string;
    readonly info: { readonly version: string };
    readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
    readonly components: Readonly<{ schemas: Record<string, object>; responses: Record<string, Response> }>;
  };
};
const examplesOf = (response: Response | undefined) => response?.content['application/json']?.examples ?? {};

// A folder inside the checkout, so that what is compiled there finds the packages.
const folder = path.join(packageRoot(), 'test', `.generated-${process.pid}`);
mkdirSync(folder, { recursive: true });
after(() => rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, 'openapi.json');
writeFileSync(file, JSON.stringify(body));

describe('the machine-readable description', () => {
  test('is served in both places, the same', async () => {
    const one = await server.ask('/openapi.json');
    const two = await server.ask('/v1/openapi.json');
    assert.equal(one.status, 200);
    assert.equal(one.text, two.text);
    assert.deepEqual([body.openapi, body.info.version], ['3.1.0', '1.0.0']);
  });

  test('has every row of the table with its name, price and parameters', () => {
    for (const endpoint of endpoints) {
      const operation = body.paths[`/${endpoint.path}`]?.get;
      assert.ok(operation, endpoint.path);
      const names = Object.keys(endpoint.params);
      const mandatory = names.filter((name) => endpoint.params[name]?.safeParse(undefined).success === false);
      const required = operation.parameters.filter((one) => one.required).map(({ name }) => name);
      assert.deepEqual(
        [operation.operationId, operation['x-credits'], operation.parameters.map(({ name }) => name)],
        [endpoint.operation, endpoint.credits, names],
      );
      assert.deepEqual(required.sort(), mandatory.sort());
      const statuses = ['200', '400', '401', '403', '404', '429', '500', '502'];
      assert.deepEqual(Object.keys(operation.responses), statuses);
    }
  });

  test('has every object, including the one that no endpoint returns', () => {
    for (const { returns } of endpoints) assert.ok(body.components.schemas[String(returns.meta()?.id)]);
    assert.ok(body.components.schemas.shortvideo_hashtag);
  });

  test('has an example of every error that its statuses can carry', () => {
    const examples = Object.values(body.components.responses).flatMap((one) => Object.keys(examplesOf(one)));
    const expected = Object.entries(catalogue).filter(([, { status }]) =>
      [400, 401, 403, 404, 429, 500, 502].includes(status),
    );
    for (const [code] of expected) assert.ok(examples.includes(code), code);
  });

  test('shows what demo answers, and the example is valid', async () => {
    for (const endpoint of endpoints) {
      const { demo } = examplesOf(body.paths[`/${endpoint.path}`]?.get.responses['200']);
      assertDescribed('GET', `/v1/${endpoint.path}`, 200, demo?.value);
    }
  });

  test('passes the linter without a warning', async () => {
    const bin = path.join(path.dirname(resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
    const { stdout, stderr } = await run(process.execPath, [bin, 'lint', '--format=json', file], {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf('{')));
    assert.deepEqual([totals.errors, totals.warnings, problems], [0, 0, []], stderr);
  });
});
