import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { transform } from 'esbuild';
import type * as clientModule from '../../lib/client/index.js';
import { paths } from '../../lib/client/paths.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { signWebhook } from '../../lib/webhook.js';
import type * as webhookModule from '../../lib/webhook-entry.js';
import { argv } from '../support/argv.js';
import { fromSource } from '../support/from-source.js';
import { listening } from '../support/listening.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const out = temporaryFolder();
const built = spawnSync(process.execPath, [...fromSource, path.join('scripts', 'subpaths.ts'), out], {
  cwd: packageRoot(),
  encoding: 'utf8',
});
assert.equal(built.status, 0, built.stderr);

const textOf = (name: string) => readFileSync(path.join(out, name), 'utf8');
const importedBy = (text: string) =>
  [...text.matchAll(/\b(?:import|from|require)\b\s*\(?\s*["'`]([^"'`]+)/g)].map(([, name]) => name);

/** Returns a bundle's exports in a context with only the language and these globals. */
async function inContext(name: string, globals: object): Promise<unknown> {
  const { code } = await transform(textOf(name), { format: 'iife', globalName: 'exported' });
  return vm.runInNewContext(`${code}; exported`, globals, {
    contextCodeGeneration: { strings: false, wasm: false },
  });
}

for (const [name, most, imports] of [
  ['client.js', 60_000, []],
  // Other runtimes have Node's crypto, too.
  ['webhook.js', 5_000, ['node:crypto']],
] as const)
  test(`${name} is small and imports ${imports.join() || 'nothing'}`, () => {
    const text = textOf(name);
    assert.ok(Buffer.byteLength(text) <= most, `${Buffer.byteLength(text)} bytes`);
    assert.deepEqual(importedBy(text), imports);
    assert.doesNotMatch(text, /\b(process|Buffer|require|__dirname|setImmediate)\b/);
  });

describe('the client in one file', () => {
  test('prints an uncaught error under the name of its class', () => {
    const program = `import { createClient } from ${JSON.stringify(pathToFileURL(path.join(out, 'client.js')).href)};
      await createClient({ baseUrl: 'http://127.0.0.1:1/v1' }).getShortvideoProfile({ username: 'nasa' });`;
    const { status, stderr } = spawnSync(process.execPath, argv`--input-type=module -e ${program}`, {
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.match(stderr, /^ExtractError: The server at http:\/\/127\.0\.0\.1:1 could not be reached/m);
    assert.doesNotMatch(stderr, /_ExtractError/);
  });

  test('calls a server with fetch and nothing else of Node.js', async () => {
    const server = await listening();
    const globals = { fetch, URL, AbortController, setTimeout, clearTimeout };
    const { createClient, ExtractError } = (await inContext('client.js', globals)) as typeof clientModule;
    const client = createClient({ baseUrl: server.url, apiKey: server.apiKey });
    assert.deepEqual(Object.keys(client), Object.keys(paths));
    const { data, meta } = await client.getShortvideoProfile(server.params);
    // Made in another world, so compared by what it says.
    assert.equal(JSON.stringify(data), JSON.stringify(server.answer));
    assert.equal(meta.credits_charged, 3);
    const error = await client.getShortvideoProfile({} as never).catch((reason) => reason);
    assert.ok(error instanceof ExtractError);
    assert.equal(error.code, 'missing_parameter');
    assert.match(error.requestId, /^req_/);
  });
});

describe('the check of webhooks in one file', () => {
  const [secret, body] = ['whsec_invented', '{"id":"job_1"}'];
  const signature = signWebhook([secret], 1_767_225_600, body);
  const now = 1_767_225_600_000;

  test('accepts signed deliveries and refuses others', async () => {
    const { verifyWebhook, webhookTolerance }: typeof webhookModule = await import(
      pathToFileURL(path.join(out, 'webhook.js')).href
    );
    assert.equal(webhookTolerance, 300);
    assert.equal(verifyWebhook({ body, signature, secret, now }), true);
    assert.equal(verifyWebhook({ body: new TextEncoder().encode(body), signature, secret, now }), true);
    assert.equal(verifyWebhook({ body: `${body} `, signature, secret, now }), false);
    assert.equal(verifyWebhook({ body, signature, secret, now: now + 301_000 }), false);
  });
});
