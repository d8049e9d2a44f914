import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { PageSource } from '../../../lib/web/page-source.js';
import { routeSource } from '../../../lib/web/routes.js';
import { fixturesOf } from '../../support/fixtures.js';
import { answerOf, anyEndpoint, listEndpoint, refusalOf, sampleCase, silentPages } from './call-tool.js';
import { hello, newRevisionMeta, post, serveTools } from './server-harness.js';

/** The sample pages of an endpoint as if they were the platform's. */
async function samplePages(endpoint = anyEndpoint): Promise<PageSource> {
  return routeSource(fixturesOf(endpoint), (await sampleCase(endpoint)).pages);
}

describe('the tools over HTTP, without a key', () => {
  test('every endpoint’s tool returns its sample, marked as one', async (t) => {
    const { client } = await (await serveTools(t)).connect();
    await client.listTools();
    for (const endpoint of endpoints) {
      const { params } = await sampleCase(endpoint);
      const { demo, notes, meta } = await answerOf(client, endpoint.operation, params);
      assert.equal(demo, true, endpoint.path);
      assert.match(notes[0] ?? '', /^Demo: this is sample data.*Authorization: Bearer/);
      assert.equal(meta?.credits_charged, 0);
      assert.equal(meta?.credits_remaining, 0);
    }
  });

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

  test('opening sessions counts, too', async (t) => {
    const { url } = await serveTools(t, { config: { demoRateLimit: 1 } });
    assert.equal((await post(url, hello)).status, 200);
    const response = await post(url, hello);
    assert.equal(response.status, 429);
    assert.ok(Number(response.headers.get('retry-after')) > 0);
    const { error } = (await response.json()) as { error: { data: { code: string } } };
    assert.equal(error.data.code, 'rate_limited');
  });

  test('opening a connection of the revision without sessions counts, too', async (t) => {
    const { url } = await serveTools(t, { config: { demoRateLimit: 1 } });
    const discover = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: newRevisionMeta } };
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'server/discover' };
    assert.equal((await post(url, discover, headers)).status, 200);
    assert.equal((await post(url, discover, headers)).status, 429);
    assert.equal((await post(url, hello)).status, 429);
  });
});

describe('the tools over HTTP, with a key', () => {
  test('a call is charged, then answered from the cache at the same price, and is in the ledger under the key', async (t) => {
    const server = await serveTools(t, { pages: await samplePages() });
    const { account, secret, key } = await server.holder({ credits: 100 });
    const { client } = await server.connect(secret);
    const { params } = await sampleCase(anyEndpoint);
    const trial = (await answerOf(client, 'get_balance')).data as { credits: number };
    const first = await answerOf(client, anyEndpoint.operation, params);
    assert.equal(first.demo, false);
    assert.equal(first.meta?.credits_charged, anyEndpoint.credits);
    assert.equal(first.meta?.credits_remaining, trial.credits - anyEndpoint.credits);
    assert.equal(first.meta?.cached, false);
    const second = await answerOf(client, anyEndpoint.operation, params);
    assert.equal(second.meta?.cached, true);
    assert.equal(second.meta?.credits_charged, anyEndpoint.credits);
    assert.deepEqual(second.data, first.data);
    const { rows } = await server.services.ledger.usage(account, { limit: 10 });
    assert.deepEqual(
      rows.map(({ id, endpoint, api_key }) => [id, endpoint, api_key?.id]),
      [second, first].map(({ meta }) => [meta?.request_id, anyEndpoint.path, key]),
    );
  });

  test('a failed call is refunded', async (t) => {
    const source = routeSource(fixturesOf(anyEndpoint), []);
    const server = await serveTools(t, { pages: source });
    const { account, secret } = await server.holder();
    const { client } = await server.connect(secret);
    const { params } = await sampleCase(anyEndpoint);
    const before = await server.services.ledger.balance(account);
    const error = await refusalOf(client, anyEndpoint.operation, params);
    const ledger = server.services.ledger;
    assert.deepEqual(await ledger.balance(account), before);
    const { rows } = await ledger.usage(account, { limit: 1 });
    assert.equal(rows[0]?.id, error.request_id);
    assert.equal(rows[0]?.credits_refunded, anyEndpoint.credits);
  });

  test('the tool reports unusable keys: unknown, revoked, other platforms, unconfirmed', async (t) => {
    const server = await serveTools(t);
    const { params } = await sampleCase(anyEndpoint);
    const ask = async (secret: string) =>
      (await refusalOf((await server.connect(secret)).client, anyEndpoint.operation, params)).code;
    assert.equal(await ask('nonsense'), 'invalid_api_key');
    const others = (['maps', 'pronetwork', 'photosocial', 'shortvideo'] as const).filter(
      (platform) => platform !== anyEndpoint.platform,
    );
    assert.equal(await ask((await server.holder({ platforms: others })).secret), 'platform_not_allowed');
    assert.equal(await ask((await server.holder({ verified: false })).secret), 'email_not_verified');
    const { key, secret } = await server.holder();
    const { client } = await server.connect(secret);
    await answerOf(client, 'get_balance');
    await server.accounts.revokeKey(key);
    assert.equal((await refusalOf(client, 'get_balance')).code, 'revoked_api_key');
  });

  test('a key limited to platforms is shown neither tools nor stored answers of others', async (t) => {
    const server = await serveTools(t, { pages: await samplePages() });
    const { account, secret } = await server.holder();
    const { params } = await sampleCase(anyEndpoint);
    const { client } = await server.connect(secret);
    const { meta } = await answerOf(client, anyEndpoint.operation, params);
    const other = endpoints.find(({ platform }) => platform !== anyEndpoint.platform)?.platform;
    assert.ok(other);
    const key = { account, platforms: [other], name: 'limited' };
    const limited = await server.accounts.createKey(key);
    const { client: narrow } = await server.connect(limited.secret);
    const { tools } = await narrow.listTools();
    const ofPlatforms = endpoints.filter(({ operation }) => tools.some(({ name }) => name === operation));
    assert.deepEqual([...new Set(ofPlatforms.map(({ platform }) => platform))], [other]);
    const again = { request_id: meta?.request_id };
    assert.match((await refusalOf(narrow, 'get_answer', again)).message, /is not available/);
    assert.equal((await answerOf(client, 'get_answer', again)).meta?.request_id, meta?.request_id);
  });

  test('an account without credits gets an error, and nothing is charged', async (t) => {
    const server = await serveTools(t, { pages: await samplePages(), config: { trialCredits: 0 } });
    const { secret } = await server.holder({ credits: 0 });
    const { client } = await server.connect(secret);
    const { params } = await sampleCase(anyEndpoint);
    assert.equal((await refusalOf(client, anyEndpoint.operation, params)).code, 'insufficient_credits');
  });

  test('only its account can see the cut parts of an answer again, for free', async (t) => {
    const server = await serveTools(t, { pages: await samplePages() });
    const [mine, other] = [await server.holder(), await server.holder()];
    const { client } = await server.connect(mine.secret);
    const { params } = await sampleCase(anyEndpoint);
    const { meta, data } = await answerOf(client, anyEndpoint.operation, params);
    const id = { request_id: meta?.request_id };
    const again = await answerOf(client, 'get_answer', id);
    assert.deepEqual(again.data, data);
    assert.match(again.notes[0] ?? '', /nothing was charged/);
    const ledger = server.services.ledger;
    assert.equal((await ledger.balance(mine.account)).credits, meta?.credits_remaining);
    const stranger = await server.connect(other.secret);
    assert.equal((await refusalOf(stranger.client, 'get_answer', id)).code, 'invalid_parameter');
    assert.equal(
      (await refusalOf((await server.connect()).client, 'get_answer', id)).code,
      'invalid_parameter',
    );
  });
});

describe('a cancelled call', () => {
  test('is aborted and refunded, and its session continues', async (t) => {
    const pages = silentPages();
    const server = await serveTools(t, { pages });
    const { account, secret } = await server.holder();
    const { client } = await server.connect(secret);
    const ledger = server.services.ledger;
    const before = await ledger.balance(account);
    const { params } = await sampleCase(anyEndpoint);
    const controller = new AbortController();
    const messages: string[] = [];
    const call = answerOf(client, anyEndpoint.operation, params, {
      signal: controller.signal,
      onprogress: ({ message = '' }) => messages.push(message),
    });
    await pages.onRequest;
    while (messages.length === 0) await setImmediate();
    assert.equal((await ledger.balance(account)).credits, before.credits - anyEndpoint.credits);
    controller.abort('enough');
    await assert.rejects(call, /enough/);
    await pages.givenUp;
    let rows = (await ledger.usage(account, { limit: 1 })).rows;
    while (rows.length === 0) {
      await setImmediate();
      rows = (await ledger.usage(account, { limit: 1 })).rows;
    }
    assert.equal(rows[0]?.status, 'failed');
    assert.equal(rows[0]?.error_code, null);
    assert.equal(rows[0]?.credits_refunded, anyEndpoint.credits);
    assert.deepEqual(await ledger.balance(account), before);
    assert.deepEqual((await answerOf(client, 'get_balance')).data, {
      account,
      credits: before.credits,
      bought: true,
    });
  });

  test('cannot be cancelled by another key, or another session of the same key', async (t) => {
    const pages = silentPages();
    const server = await serveTools(t, { pages });
    const { secret } = await server.holder();
    const [{ transport }, { transport: other }] = [
      await server.connect(secret),
      await server.connect(secret),
    ];
    const headersOf = (session: string | undefined, key: string) => ({
      ...{ 'Mcp-Session-Id': session ?? '', Authorization: `Bearer ${key}` },
    });
    const sessionHeaders = headersOf(transport.sessionId, secret);
    const { params } = await sampleCase(anyEndpoint);
    const call = { name: anyEndpoint.operation, arguments: params };
    const asking = post(
      server.url,
      { jsonrpc: '2.0', id: 0, method: 'tools/call', params: call },
      sessionHeaders,
    );
    await pages.onRequest;
    let isOver = false;
    void pages.givenUp.then(() => {
      isOver = true;
    });
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } };
    for (const headers of [headersOf(other.sessionId, secret), headersOf(transport.sessionId, 'other')]) {
      assert.equal((await post(server.url, cancelled, headers)).status, 202);
    }
    assert.equal(
      (await post(server.url, { ...cancelled, params: { requestId: '0' } }, sessionHeaders)).status,
      202,
    );
    await setImmediate();
    assert.equal(isOver, false);
    assert.equal((await post(server.url, cancelled, sessionHeaders)).status, 202);
    await pages.givenUp;
    await (await asking).text();
  });

  test('reports its pages, counting up', async (t) => {
    const server = await serveTools(t);
    const { client } = await server.connect();
    const { params } = await sampleCase(anyEndpoint);
    const updates: { progress: number; message?: string | undefined }[] = [];
    await answerOf(client, anyEndpoint.operation, params, { onprogress: (one) => updates.push(one) });
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
    const server = await serveTools(t, { pages: await samplePages() });
    const { secret } = await server.holder();
    const { client } = await server.connect(secret);
    const { params } = await sampleCase(anyEndpoint);
    await answerOf(client, anyEndpoint.operation, params);
    await answerOf(client, anyEndpoint.operation, params);
    await answerOf(client, anyEndpoint.operation, { ...params, demo: true });
    await refusalOf(client, anyEndpoint.operation, {});
    const text = await server.metrics.registry.metrics();
    for (const [source, count] of [
      ['fetch', 1],
      ['cache', 1],
      ['demo', 1],
    ])
      assert.ok(
        text.includes(`extract_answers_total{endpoint="${anyEndpoint.path}",source="${source}"} ${count}`),
      );
    assert.ok(
      text.includes(
        `extract_credits_charged_total{endpoint="${anyEndpoint.path}"} ${2 * anyEndpoint.credits}`,
      ),
    );
    assert.ok(
      text.includes(`extract_refusals_total{endpoint="${anyEndpoint.path}",code="missing_parameter"} 1`),
    );
  });

  test('reports an internal fault by its id, and logs the cause', async (t) => {
    const pages: PageSource = {
      open: () => {
        throw new Error('a cause with details');
      },
      close: async () => undefined,
    };
    const server = await serveTools(t, { pages });
    const { account, secret } = await server.holder();
    const { client } = await server.connect(secret);
    const { params } = await sampleCase(anyEndpoint);
    const error = await refusalOf(client, anyEndpoint.operation, params);
    assert.equal(error.code, 'internal_error');
    assert.ok(!JSON.stringify(error).includes('details'));
    const line = server.log.find((one) => one.includes(error.request_id));
    assert.match(line ?? '', /a cause with details/);
    const { rows } = await server.services.ledger.usage(account, { limit: 1 });
    assert.equal(rows[0]?.credits_refunded, anyEndpoint.credits);
  });

  test('aborts calls in progress when it must stop, as refunded errors', async (t) => {
    const pages = silentPages();
    const server = await serveTools(t, { pages });
    const { account, secret } = await server.holder();
    const { client } = await server.connect(secret);
    const { params } = await sampleCase(anyEndpoint);
    const call = refusalOf(client, anyEndpoint.operation, params);
    await pages.onRequest;
    server.stop(new ExtractError('platform_timeout', 'The server stopped.'));
    assert.equal((await call).code, 'platform_timeout');
    const { rows } = await server.services.ledger.usage(account, { limit: 1 });
    assert.equal(rows[0]?.credits_refunded, anyEndpoint.credits);
  });
});

describe('pages of a listing', () => {
  test('follow by the cursor, with the tool’s small page, to the end', async (t) => {
    const server = await serveTools(t, { pages: await samplePages(listEndpoint) });
    const { secret } = await server.holder();
    const { client } = await server.connect(secret);
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
