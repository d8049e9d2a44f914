import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { platforms } from '../../../lib/platforms.js';
import type { PageSource } from '../../../lib/web/page-source.js';
import { routeSource } from '../../../lib/web/routes.js';
import { fixturesOf } from '../../support/fixtures.js';
import { callers } from '../../support/server.js';
import { answerOf, anyEndpoint, listEndpoint, refusalOf, sampleCase, silentPages } from './call-tool.js';
import { hello, keyed, newRevision, newRevisionMeta, post, serveTools } from './server-harness.js';

/** The sample pages of an endpoint as if they were the platform's. */
async function samplePages(endpoint = anyEndpoint): Promise<PageSource> {
  return routeSource(fixturesOf(endpoint), (await sampleCase(endpoint)).pages);
}

describe('the tools over HTTP, without a key', () => {
  test('so many calls a minute come from one address, and the tool says when the next is answered', async (t) => {
    const { client } = await (await serveTools(t, { config: { demoRateLimit: 3 } })).connect();
    await answerOf(client, 'get_balance');
    await answerOf(client, 'get_balance');
    const { code, message } = await refusalOf(client, 'get_balance');
    assert.equal(code, 'rate_limited');
    assert.match(message, /\d+ s/);
  });

  test('an address that ends with a slash is the same one', async (t) => {
    const { url } = await serveTools(t);
    const [plain, slashed] = [await post(url, hello), await post(`${url}/`, hello)];
    assert.deepEqual([plain.status, slashed.status], [200, 200]);
    assert.equal(await slashed.text(), await plain.text());
    assert.equal((await fetch(`${url}/`, { method: 'DELETE' })).status, 200);
  });

  test('opening a session or a connection without sessions counts, too', async (t) => {
    const { url } = await serveTools(t, { config: { demoRateLimit: 1 } });
    const discover = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: newRevisionMeta } };
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'server/discover' };
    assert.equal((await post(url, discover, headers)).status, 200);
    assert.equal((await post(url, discover, headers)).status, 429);
    const response = await post(url, hello);
    assert.equal(response.status, 429);
    assert.ok(Number(response.headers.get('retry-after')) > 0);
    const { error } = (await response.json()) as { error: { data: { code: string } } };
    assert.equal(error.data.code, 'rate_limited');
  });
});

describe('the tools over HTTP, with a key', () => {
  test('a call is charged, then answered from the cache at the same price, and is in the ledger under the key', async (t) => {
    const { client, account, key, params, ledger } = await keyed(t, { pages: await samplePages() });
    const trial = (await answerOf(client, 'get_balance')).data as { credits: number };
    const first = await answerOf(client, anyEndpoint.operation, params);
    const second = await answerOf(client, anyEndpoint.operation, params);
    for (const [at, { demo, data, meta }] of [first, second].entries()) {
      assert.deepEqual([demo, meta?.cached, data], [false, at === 1, first.data]);
      assert.equal(meta?.credits_charged, anyEndpoint.credits);
      assert.equal(meta.credits_remaining, trial.credits - (at + 1) * anyEndpoint.credits);
    }
    const { rows } = await ledger.usage(account, { limit: 10 });
    assert.deepEqual(
      rows.map(({ id, endpoint, api_key }) => [id, endpoint, api_key?.id]),
      [second, first].map(({ meta }) => [meta?.request_id, anyEndpoint.path, key]),
    );
  });

  test('the tool reports unusable keys: unknown, revoked, other platforms, unconfirmed, poor', async (t) => {
    const server = await serveTools(t);
    const { refused, poor, keyFor } = await callers(server);
    const others = platforms.filter((platform) => platform !== anyEndpoint.platform);
    const { params } = await sampleCase(anyEndpoint);
    for (const [secret, , code] of [
      ...refused,
      [await keyFor(...others), 403, 'platform_not_allowed'],
      [poor.secret, 403, 'insufficient_credits'],
    ] as const) {
      // Without a key, tools answer with samples.
      if (secret === null) continue;
      const { client } = await server.connect(secret);
      assert.equal((await refusalOf(client, anyEndpoint.operation, params)).code, code);
    }
    const { key, secret } = await server.holder();
    const { client } = await server.connect(secret);
    await answerOf(client, 'get_balance');
    await server.accounts.revokeKey(key);
    assert.equal((await refusalOf(client, 'get_balance')).code, 'revoked_api_key');
  });

  test('a key limited to platforms is shown neither tools nor stored answers of others', async (t) => {
    const { server, client, account, params } = await keyed(t, { pages: await samplePages() });
    const { meta } = await answerOf(client, anyEndpoint.operation, params);
    const other = endpoints.find(({ platform }) => platform !== anyEndpoint.platform)?.platform;
    assert.ok(other);
    const limited = await server.accounts.createKey({ account, platforms: [other], name: 'limited' });
    const { client: narrow } = await server.connect(limited.secret);
    const { tools } = await narrow.listTools();
    const ofPlatforms = endpoints.filter(({ operation }) => tools.some(({ name }) => name === operation));
    assert.deepEqual([...new Set(ofPlatforms.map(({ platform }) => platform))], [other]);
    const again = { request_id: meta?.request_id };
    assert.match((await refusalOf(narrow, 'get_answer', again)).message, /is not available/);
    assert.equal((await answerOf(client, 'get_answer', again)).meta?.request_id, meta?.request_id);
  });

  test('only its account can see the cut parts of an answer again, for free', async (t) => {
    const { server, client, account, params, ledger } = await keyed(t, { pages: await samplePages() });
    const { meta, data } = await answerOf(client, anyEndpoint.operation, params);
    const id = { request_id: meta?.request_id };
    const again = await answerOf(client, 'get_answer', id);
    assert.deepEqual(again.data, data);
    assert.match(again.notes[0] ?? '', /nothing was charged/);
    assert.equal((await ledger.balance(account)).credits, meta?.credits_remaining);
    for (const secret of [(await server.holder()).secret, undefined]) {
      const { client: stranger } = await server.connect(secret);
      assert.equal((await refusalOf(stranger, 'get_answer', id)).code, 'invalid_parameter');
    }
  });
});

describe('a cancelled call', () => {
  for (const [revision, options, progress] of [
    ['2025-11-25', undefined, true],
    ['2026-07-28', newRevision, true],
    ['2026-07-28', newRevision, false],
  ] as const)
    test(`is aborted and refunded: revision ${revision}, ${progress ? 'with' : 'without'} progress`, async (t) => {
      const pages = silentPages();
      const { client, account, params, ledger } = await keyed(t, { pages }, options);
      assert.equal(client.getNegotiatedProtocolVersion(), revision);
      const before = await ledger.balance(account);
      const controller = new AbortController();
      const messages: string[] = [];
      const call = answerOf(client, anyEndpoint.operation, params, {
        signal: controller.signal,
        ...(progress && { onprogress: ({ message = '' }) => messages.push(message) }),
      });
      await pages.onRequest;
      while (progress && messages.length === 0) await setImmediate();
      assert.equal((await ledger.balance(account)).credits, before.credits - anyEndpoint.credits);
      controller.abort('enough');
      await assert.rejects(call, /enough/);
      await pages.givenUp;
      while ((await ledger.usage(account, { limit: 1 })).rows.length === 0) await setImmediate();
      const [row] = (await ledger.usage(account, { limit: 1 })).rows;
      const ended = [row?.status, row?.error_code, row?.credits_refunded];
      assert.deepEqual(ended, ['failed', null, anyEndpoint.credits]);
      assert.deepEqual(await ledger.balance(account), before);
      const { data } = await answerOf(client, 'get_balance');
      assert.deepEqual(data, { account, credits: before.credits, bought: true });
    });

  test('cannot be cancelled by another key, or another session of the same key', async (t) => {
    const pages = silentPages();
    const { server, secret, transport, params } = await keyed(t, { pages });
    const { transport: other } = await server.connect(secret);
    const headersOf = (session: string | undefined, key: string) => ({
      ...{ 'Mcp-Session-Id': session ?? '', Authorization: `Bearer ${key}` },
    });
    const sessionHeaders = headersOf(transport.sessionId, secret);
    const call = { name: anyEndpoint.operation, arguments: params };
    const message = { jsonrpc: '2.0', id: 0, method: 'tools/call', params: call };
    const asking = post(server.url, message, sessionHeaders);
    await pages.onRequest;
    let isOver = false;
    void pages.givenUp.then(() => {
      isOver = true;
    });
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } };
    for (const [headers, requestId] of [
      [headersOf(other.sessionId, secret), 0],
      [headersOf(transport.sessionId, 'other'), 0],
      [sessionHeaders, '0'],
    ] as const) {
      const status = (await post(server.url, { ...cancelled, params: { requestId } }, headers)).status;
      assert.equal(status, 202);
    }
    await setImmediate();
    assert.equal(isOver, false);
    assert.equal((await post(server.url, cancelled, sessionHeaders)).status, 202);
    await pages.givenUp;
    await (await asking).text();
  });

  test('reports its pages, counting up, and marks a sample as one', async (t) => {
    const { client } = await (await serveTools(t)).connect();
    const { params } = await sampleCase(anyEndpoint);
    const updates: { progress: number; message?: string | undefined }[] = [];
    const { demo, notes } = await answerOf(client, anyEndpoint.operation, params, {
      onprogress: (one) => updates.push(one),
    });
    assert.equal(demo, true);
    assert.match(notes[0] ?? '', /^Demo: this is sample data.*Authorization: Bearer/);
    assert.ok(updates.length >= 2);
    assert.deepEqual(
      updates.map(({ progress }) => progress),
      updates.map((_, index) => index + 1),
    );
    assert.equal(updates[0]?.message, 'Asking for a sample page');
  });
});

describe('the server around the tools', () => {
  test('counts their calls', async (t) => {
    const { server, client, params } = await keyed(t, { pages: await samplePages() });
    await answerOf(client, anyEndpoint.operation, params);
    await answerOf(client, anyEndpoint.operation, params);
    await answerOf(client, anyEndpoint.operation, { ...params, demo: true });
    await refusalOf(client, anyEndpoint.operation, {});
    const { text } = await server.ask('/metrics');
    const { path, credits } = anyEndpoint;
    for (const line of [
      ...['fetch', 'cache', 'demo'].map((one) => `answers_total{endpoint="${path}",source="${one}"} 1`),
      `credits_charged_total{endpoint="${path}"} ${2 * credits}`,
      `refusals_total{endpoint="${path}",code="missing_parameter"} 1`,
    ])
      assert.ok(text.includes(`extract_${line}`), line);
  });

  test('reports an internal fault by its id, and logs the cause', async (t) => {
    const pages: PageSource = {
      open: () => {
        throw new Error('a cause with details');
      },
      close: async () => undefined,
    };
    const { server, client, account, params, ledger } = await keyed(t, { pages });
    const error = await refusalOf(client, anyEndpoint.operation, params);
    assert.equal(error.code, 'internal_error');
    assert.ok(!JSON.stringify(error).includes('details'));
    const line = server.lines.find((one) => one.includes(error.request_id));
    assert.match(line ?? '', /a cause with details/);
    const { rows } = await ledger.usage(account, { limit: 1 });
    assert.equal(rows[0]?.credits_refunded, anyEndpoint.credits);
  });

  test('aborts calls in progress when it must stop, as refunded errors', async (t) => {
    const pages = silentPages();
    const { server, client, account, params, ledger } = await keyed(t, { pages });
    const call = refusalOf(client, anyEndpoint.operation, params);
    await pages.onRequest;
    server.closing.abort(new ExtractError('platform_timeout', 'The server stopped.'));
    assert.equal((await call).code, 'platform_timeout');
    const { rows } = await ledger.usage(account, { limit: 1 });
    assert.equal(rows[0]?.credits_refunded, anyEndpoint.credits);
  });
});

describe('pages of a listing', () => {
  test('follow by the cursor, with the tool’s small page, to the end', async (t) => {
    const { client } = await keyed(t, { pages: await samplePages(listEndpoint) });
    const { params } = await sampleCase(listEndpoint);
    const { limit: _, ...rest } = params;
    const items: unknown[] = [];
    let cursor: string | null | undefined;
    do {
      const { data, meta } = await answerOf(client, listEndpoint.operation, { ...rest, cursor });
      assert.ok(Array.isArray(data) && data.length <= 5);
      items.push(...data);
      cursor = meta?.next_cursor;
    } while (typeof cursor === 'string');
    assert.ok(items.length > 0);
    assert.equal(new Set(items.map((item) => JSON.stringify(item))).size, items.length);
  });
});

describe('sessions', () => {
  test('several clients are served concurrently, each with its own answer', async (t) => {
    const server = await serveTools(t);
    const { secret } = await server.holder();
    const keys = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? secret : undefined));
    const clients = await Promise.all(keys.map(async (key) => (await server.connect(key)).client));
    const answers = await Promise.all(
      clients.flatMap((client, index) =>
        endpoints.map(async (endpoint) => {
          const { params } = await sampleCase(endpoint);
          const { meta } = await answerOf(client, endpoint.operation, { ...params, demo: true });
          return { keyed: index % 2 === 0, id: meta?.request_id, remaining: meta?.credits_remaining };
        }),
      ),
    );
    assert.equal(new Set(answers.map(({ id }) => id)).size, answers.length);
    for (const { keyed, remaining } of answers) assert.equal((remaining ?? 0) > 0, keyed);
  });

  test('are names alone: any request is answered, under its own key', async (t) => {
    const { server, client, transport, secret } = await keyed(t);
    const ping = { jsonrpc: '2.0', id: 9, method: 'ping' };
    const status = async (headers: Record<string, string>) => (await post(server.url, ping, headers)).status;
    const sessionHeaders = { 'Mcp-Session-Id': transport.sessionId ?? '' };
    assert.match(sessionHeaders['Mcp-Session-Id'], /^[0-9a-f-]{36}$/);
    assert.equal(await status({ ...sessionHeaders, Authorization: `Bearer ${secret}` }), 200);
    assert.equal(await status({}), 200);
    // A server that was started again knows no session, and answers all the same.
    assert.equal(await status({ 'Mcp-Session-Id': 'of-before', Authorization: `Bearer ${secret}` }), 200);
    await transport.terminateSession();
    await client.close();
    // Python's client names the type of its messages here, too.
    const headers = { ...sessionHeaders, 'Content-Type': 'application/json' };
    assert.equal((await fetch(server.url, { method: 'DELETE', headers })).status, 200);
  });
});

describe('whence a request comes', () => {
  test('pages of an origin on the operator’s list may call, and see the session', async (t) => {
    const origin = 'https://app.example';
    const { url } = await serveTools(t, { config: { corsOrigins: [origin] } });
    const asks = {
      Origin: origin,
      'Access-Control-Request-Method': 'DELETE',
      'Access-Control-Request-Headers': 'authorization,mcp-session-id,mcp-protocol-version',
    };
    const preflight = await fetch(url, { method: 'OPTIONS', headers: asks });
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /DELETE/);
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /mcp-session-id/);
    const response = await post(url, hello, { Origin: origin });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('access-control-allow-origin'), origin);
    assert.match(response.headers.get('access-control-expose-headers') ?? '', /Mcp-Session-Id/);
    assert.ok(response.headers.get('mcp-session-id'));
  });
});
