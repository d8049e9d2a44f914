import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { answerOf, sampleCase } from './call-tool.js';
import { hello, keyed, post, serveTools } from './server-harness.js';

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
