import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { routeSource } from '../../../lib/web/routes.js';
import { tools } from '../../../src/faces/mcp/tools.js';
import { fixturesOf } from '../../support/fixtures.js';
import { answerOf, anyEndpoint, refusalOf, sampleCase, type ToolResult, textOf } from './call-tool.js';
import { hello, keyed, newRevision, post, serveTools } from './server-harness.js';

/** The message that an answer carries: alone, or as the only event of a stream. */
async function messageOf(response: Response): Promise<{ result: Record<string, unknown> }> {
  return JSON.parse((await response.text()).replace(/^event: message\ndata: /, ''));
}

describe('the revisions of the protocol with sessions', () => {
  for (const revision of ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    test(`${revision} is used if requested`, async (t) => {
      const { url } = await serveTools(t);
      const params = { ...hello.params, protocolVersion: revision };
      const opened = await post(url, { ...hello, params });
      assert.equal((await messageOf(opened)).result.protocolVersion, revision);
      const headers = {
        'Mcp-Session-Id': opened.headers.get('mcp-session-id') ?? '',
        'Mcp-Protocol-Version': revision,
      };
      const ready = await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
      assert.equal(ready.status, 202);
      const balance = { name: 'get_balance', arguments: {} };
      const message = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: balance };
      const { result } = await messageOf(await post(url, message, headers));
      assert.equal(JSON.parse(textOf(result as unknown as ToolResult)).demo, true);
    });
  }

  test('a client that requests an unknown revision gets the newest', async (t) => {
    const { url } = await serveTools(t);
    const params = { ...hello.params, protocolVersion: '2099-01-01' };
    const { result } = await messageOf(await post(url, { ...hello, params }));
    assert.equal(result.protocolVersion, '2025-11-25');
  });
});

describe('the revision without sessions', () => {
  test('every request is independent, under its own key', async (t) => {
    const pages = routeSource(fixturesOf(anyEndpoint), (await sampleCase(anyEndpoint)).pages);
    const { client, transport, account, params, ledger } = await keyed(t, { pages }, newRevision);
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
    assert.equal(transport.sessionId, undefined);
    const listed = await client.listTools();
    assert.deepEqual(
      listed.tools.map(({ name }) => name),
      tools.map(({ definition }) => definition.name),
    );
    const messages: string[] = [];
    const { meta, data } = await answerOf(client, anyEndpoint.operation, params, {
      onprogress: ({ message = '' }) => messages.push(message),
    });
    assert.match(messages[0] ?? '', /^Asking for/);
    assert.equal(meta?.credits_charged, anyEndpoint.credits);
    assert.equal(meta?.credits_remaining, (await ledger.balance(account)).credits);
    const again = await answerOf(client, 'get_answer', { request_id: meta?.request_id });
    assert.deepEqual(again.data, data);
    assert.equal((await refusalOf(client, anyEndpoint.operation)).code, 'missing_parameter');
    await assert.rejects(client.callTool({ name: 'made_up' }), { code: -32602 });
    const uri = 'extract://docs/errors';
    const { contents } = await client.readResource({ uri });
    assert.equal(contents[0]?.uri, uri);
    await assert.rejects(client.readResource({ uri: `${uri}/made_up` }), { code: -32602 });
  });

  test('a client that can speak either is answered in it', async (t) => {
    const server = await serveTools(t);
    const { client } = await server.connect(undefined, { versionNegotiation: { mode: 'auto' } });
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
    assert.equal((await answerOf(client, 'get_balance')).demo, true);
  });
});
