import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { endpoints } from '../../../lib/endpoints.js';
import type { ErrorObject } from '../../../lib/errors/extract-error.js';
import { openLedger } from '../../../lib/ledger/sqlite/sqlite-ledger.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { routeSource } from '../../../lib/web/routes.js';
import { openStore } from '../../../src/compose/open-store.js';
import { fixturesOf } from '../../support/fixtures.js';
import { freePort } from '../../support/free-port.js';
import { silentServer } from '../../support/loopback.js';
import { outputOf } from '../../support/program-output.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { answerOf, anyEndpoint, refusalOf, sampleCase } from './call-tool.js';
import { newRevision, serveTools } from './server-harness.js';

const program = path.join(packageRoot(), 'bin', 'extract.js');
const folder = temporaryFolder();
const newHome = () => mkdtempSync(path.join(folder, 'home-'));

interface StartedServer {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
  readonly client?: ClientOptions;
}

const environment = ({ env, home = newHome() }: StartedServer) => ({
  ...(process.env as Record<string, string>),
  ...{ EXTRACT_API_KEY: '', EXTRACT_BASE_URL: '', EXTRACT_HOME: home, EXTRACT_PACE_MS: '0' },
  ...{ NO_PROXY: '', no_proxy: '', ...env },
});

/** The command as a client starts it, and the SDK's client on its streams. */
async function started(t: TestContext, how: StartedServer = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, how.client);
  const args = [program, 'mcp', ...(how.args ?? [])];
  const streams = { command: process.execPath, args, env: environment(how), stderr: 'inherit' } as const;
  const transport = new StdioClientTransport(streams);
  await client.connect(transport);
  t.after(() => client.close());
  return client;
}

/** The command with bare streams, and how it ends. */
function bare(how: StartedServer = {}) {
  const args = [program, 'mcp', ...(how.args ?? [])];
  const child = spawn(process.execPath, args, { env: environment(how), stdio: 'pipe' });
  const end = outputOf(child).then(({ out, ...rest }) => {
    const lines = out.split('\n').filter((line) => line !== '');
    return { ...rest, ids: lines.map((line) => (JSON.parse(line) as { readonly id: number }).id) };
  });
  return { child, end };
}

/** The balance of this machine's account, and the ending and refund of its calls. */
async function booksOf(t: TestContext, home: string) {
  const ledger = openLedger(path.join(home, 'ledger.db'), { clock: systemClock });
  t.after(() => ledger.close());
  const { rows } = await ledger.usage('local', { limit: 5 });
  const { credits } = await ledger.balance('local');
  return { credits, rows: rows.map(({ id, status, credits_refunded }) => [id, status, credits_refunded]) };
}

const message = (id: number, method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const hello = message(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

describe('the tools over stdin and stdout, without a key', { concurrency: 2 }, () => {
  test('all are there: lists, samples that say so, refusals with the contract’s error object', async (t) => {
    const client = await started(t);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.slice(0, endpoints.length).map(({ name }) => name),
      endpoints.map(({ operation }) => operation),
    );
    assert.match(client.getInstructions() ?? '', /never as instructions/);
    for (const endpoint of endpoints) {
      const { params } = await sampleCase(endpoint);
      const { demo, notes, meta } = await answerOf(client, endpoint.operation, params);
      assert.equal(demo, true, endpoint.path);
      assert.match(notes[0] ?? '', /^Demo: .*--account local/);
      assert.equal(meta?.credits_charged, 0);
      // Clients fill what they omit with null.
      const nulls = Object.fromEntries(Object.keys(endpoint.params).map((name) => [name, null]));
      await answerOf(client, endpoint.operation, { ...nulls, ...params });
      const refusals: (readonly [object, string, RegExp?])[] = [
        [{}, 'missing_parameter'],
        [{ ...params, made_up: 1 }, 'unknown_parameter'],
        [{ ...params, demo: 'perhaps' }, 'invalid_parameter', /demo/],
        [{ ...params, text_limit: 5 }, 'invalid_parameter', /text_limit/],
        ...[['made_up'], [], 'text'].map(
          (fields) => [{ ...params, fields }, 'invalid_parameter', /field/] as const,
        ),
        ...Object.entries(endpoint.renamed).map(
          ([old, name]) => [{ [old]: 'x' }, 'renamed_parameter', new RegExp(name)] as const,
        ),
      ];
      if (endpoint.exactlyOne !== null) {
        const both = Object.fromEntries(endpoint.exactlyOne.map((name) => [name, 'x']));
        refusals.push([both, 'conflicting_parameters']);
      }
      for (const [args, expected, words = /./] of refusals) {
        const { code, message: text } = await refusalOf(client, endpoint.operation, { ...args });
        assert.equal(code, expected, endpoint.path);
        assert.match(text, words);
      }
    }
    for (const [name, words] of [
      ['made_up', /Unknown tool made_up/],
      ['get_tiktok_profile', /Did you mean get_shortvideo_profile\?/],
    ] as const)
      await assert.rejects(
        client.callTool({ name, arguments: {} }),
        (error: Error & { data?: ErrorObject }) => {
          assert.match(error.message, words);
          assert.match(error.data?.request_id ?? '', /^req_/);
          return error.data?.code === 'endpoint_not_found';
        },
      );
    const { data: balance } = await answerOf(client, 'get_balance');
    assert.deepEqual(balance, { account: null, credits: 0, bought: false });
    const { data: codes } = await answerOf(client, 'list_error_codes', { code: 'place_not_found' });
    assert.deepEqual(
      (codes as { code: string }[]).map(({ code }) => code),
      ['place_not_found'],
    );
    const unknownCode = await refusalOf(client, 'list_error_codes', { code: 'made_up' });
    assert.equal(unknownCode.code, 'invalid_parameter');
    assert.equal((await refusalOf(client, 'get_balance', { x: 1 })).code, 'unknown_parameter');
  });
});

describe('the tools over stdin and stdout, on an account', { concurrency: 2 }, () => {
  test('of this machine: charged first, refunded if the platform cannot be reached', async (t) => {
    const home = newHome();
    const env = { HTTPS_PROXY: `http://127.0.0.1:${await freePort()}` };
    const client = await started(t, { args: ['--account', 'local'], home, env });
    const before = await answerOf(client, 'get_balance');
    assert.deepEqual(before.data, { account: 'local', credits: 50_000, bought: true });
    assert.equal(before.demo, false);
    const { params } = await sampleCase(anyEndpoint);
    const error = await refusalOf(client, anyEndpoint.operation, params);
    assert.equal(error.code, 'platform_unavailable');
    assert.deepEqual(await answerOf(client, 'get_balance'), before);
    const { rows } = await booksOf(t, home);
    assert.deepEqual(rows, [[error.request_id, 'failed', anyEndpoint.credits]]);
  });

  test('of a key: its account, its platforms; an unknown key is refused by the tool', async (t) => {
    const home = newHome();
    const { ledger, accounts } = await openStore(home, systemClock, 500);
    const { id } = await accounts.create({ email: 'someone@example.com', verified: true, credits: 0 });
    const { secret } = await accounts.createKey({ account: id, name: 'mine', platforms: [] });
    await ledger.close();
    const client = await started(t, { home, env: { EXTRACT_API_KEY: secret } });
    const { data } = await answerOf(client, 'get_balance');
    assert.deepEqual(data, { account: id, credits: 500, bought: false });
    const { params } = await sampleCase(anyEndpoint);
    assert.equal((await refusalOf(client, anyEndpoint.operation, params)).code, 'platform_not_allowed');
    const sample = await answerOf(client, anyEndpoint.operation, { ...params, demo: true });
    assert.equal(sample.meta?.credits_remaining, 500);
    const unknown = await started(t, { home, env: { EXTRACT_API_KEY: 'xt_live_unknown' } });
    assert.equal((await refusalOf(unknown, anyEndpoint.operation, params)).code, 'invalid_api_key');
    const demo = await started(t, { home, args: ['--account=demo'], env: { EXTRACT_API_KEY: secret } });
    assert.equal((await answerOf(demo, anyEndpoint.operation, params)).demo, true);
  });

  test('of a key of the configured server: that server is called, and charges it', async (t) => {
    const pages = routeSource(fixturesOf(anyEndpoint), (await sampleCase(anyEndpoint)).pages);
    const server = await serveTools(t, { pages });
    const { account, secret } = await server.holder();
    const client = await started(t, {
      env: { EXTRACT_BASE_URL: new URL('/v1', server.url).href, EXTRACT_API_KEY: secret },
    });
    const { params } = await sampleCase(anyEndpoint);
    const { demo, meta } = await answerOf(client, anyEndpoint.operation, params);
    assert.equal(demo, false);
    const balance = await server.ledger.balance(account);
    assert.equal(meta?.credits_remaining, balance.credits);
    assert.deepEqual((await answerOf(client, 'get_balance')).data, balance);
    const [call, ...rest] = (await server.ledger.usage(account, { limit: 5 })).rows;
    assert.deepEqual([call?.id, rest], [meta?.request_id, []]);
    assert.ok(await answerOf(client, 'get_answer', { request_id: meta?.request_id }));
    const other = { [Object.keys(params)[0] ?? '']: 'https://elsewhere.example/' };
    assert.match((await refusalOf(client, anyEndpoint.operation, other)).request_id, /^req_/);
    for (const [name, args] of [
      [anyEndpoint.operation, other],
      ['job_status', { id: 'job_none' }],
    ] as const) {
      const { docs, code } = await refusalOf(client, name, args);
      assert.equal(docs, `${new URL(server.url).origin}/docs/errors/${code}`);
    }
    const order = { endpoint: anyEndpoint.path, inputs: [params] };
    const { id } = (await answerOf(client, 'create_job', order)).data as { readonly id: string };
    const job = await server.jobs.store.find(account, id);
    assert.equal(job.status, 'queued');
    assert.deepEqual((await answerOf(client, 'job_status', { id })).data, job);
    assert.deepEqual((await answerOf(client, 'job_results', { id })).data, {
      ...{ status: 'queued', total: 1, lines: [], next_from: 0 },
    });
    assert.equal((await refusalOf(client, 'whats_new', { schedule: 'sched_1' })).code, 'schedule_not_found');
  });

  test('SIGTERM in the middle of a call refunds its credits and exits with 0', async (t) => {
    const proxy = await silentServer(t);
    const home = newHome();
    const { child, end } = bare({ args: ['--account', 'local'], home, env: { HTTPS_PROXY: proxy.url } });
    const { params } = await sampleCase(anyEndpoint);
    child.stdin.write(hello);
    child.stdin.write(message(2, 'tools/call', { name: anyEndpoint.operation, arguments: params }));
    await proxy.connected;
    child.kill('SIGTERM');
    const { status, err } = await end;
    assert.deepEqual([status, err], [0, '']);
    const { credits, rows } = await booksOf(t, home);
    const endings = rows.map((row) => row.slice(1));
    assert.deepEqual([credits, endings], [50_000, [['failed', anyEndpoint.credits]]]);
  });
});

describe('the revisions of the protocol over stdin and stdout', { concurrency: 2 }, () => {
  test('the newest: samples, refusals, and the refund of a cancelled call', async (t) => {
    const proxy = await silentServer(t);
    const env = { HTTPS_PROXY: proxy.url };
    const client = await started(t, { args: ['--account', 'local'], env, client: newRevision });
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
    assert.match(client.getInstructions() ?? '', /never as instructions/);
    const { params } = await sampleCase(anyEndpoint);
    const { meta } = await answerOf(client, anyEndpoint.operation, { ...params, demo: true });
    assert.equal(meta?.credits_charged, 0);
    assert.equal((await refusalOf(client, anyEndpoint.operation)).code, 'missing_parameter');
    const credits = async () => ((await answerOf(client, 'get_balance')).data as { credits: number }).credits;
    const before = await credits();
    const controller = new AbortController();
    const call = answerOf(client, anyEndpoint.operation, params, { signal: controller.signal });
    await proxy.connected;
    controller.abort('enough');
    await assert.rejects(call, /enough/);
    while ((await credits()) !== before) await setImmediate();
  });
});

describe('the streams', { concurrency: 2 }, () => {
  test('when the input ends, pending requests are answered first, as lines of JSON and nothing else', async () => {
    const { child, end } = bare();
    const { params } = await sampleCase(anyEndpoint);
    child.stdin.write(hello);
    child.stdin.write(message(2, 'tools/call', { name: anyEndpoint.operation, arguments: params }));
    child.stdin.end(message(3, 'tools/list'));
    const { status, ids, err } = await end;
    assert.deepEqual([status, err, ids.sort()], [0, '', [1, 2, 3]]);
  });

  test('lines that are not messages are skipped', async () => {
    const { child, end } = bare();
    child.stdin.write('hello\n{"half":\n[]\nnull\n\0\n');
    child.stdin.end(hello);
    const { status, ids } = await end;
    assert.deepEqual([status, ids], [0, [1]]);
  });

  for (const [title, act] of [
    [
      'a line without end ends the server',
      ({ stdin }: ChildProcess) => {
        stdin?.on('error', () => undefined).write(`"${'x'.repeat(11 * 1024 * 1024)}`);
      },
    ],
    [
      'a client that disconnects silently leaves no process behind',
      ({ stdin, stdout }: ChildProcess) => {
        stdout?.destroy();
        stdin?.write(hello);
        stdin?.destroy();
      },
    ],
  ] as const)
    test(title, async () => {
      const { child, end } = bare();
      act(child);
      assert.equal((await end).status, 0);
    });

  test('an account without its key, and an unknown one, are usage errors', async () => {
    for (const [account, expected] of [
      ['key', 3],
      ['somebody', 2],
    ] as const) {
      const { status, ids, err } = await bare({ args: ['--account', account] }).end;
      assert.deepEqual([status, ids], [expected, []]);
      assert.match(err, /EXTRACT_API_KEY|somebody/);
    }
  });
});
