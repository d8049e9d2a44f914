import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { casesOf } from '../../../lib/samples.js';
import { parseSubject } from '../../../lib/suppressions/subject.js';
import { testServer } from '../../support/server.js';
import { newRevisionMeta } from './server-harness.js';

const endpoint = endpoints.find(({ path }) => path === 'shortvideo/profile') ?? assert.fail();

test('an answer that was given is not shown again once its subject is suppressed, and is where it is allowed again', async () => {
  const server = await testServer();
  await server.serve(endpoint);
  const { secret } = await server.account({ credits: 100 });
  const [first] = await casesOf(endpoint);
  const username = String(first?.params.username);
  const ask = async (name: string, args: object) => {
    const answer = await server.app.inject({
      ...{ method: 'POST', url: '/mcp' },
      headers: {
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        ...{ authorization: `Bearer ${secret}`, host: 'localhost' },
        ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
      },
      payload: {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name, arguments: args, _meta: newRevisionMeta },
      },
    });
    return answer.body;
  };
  const toolText = await ask(endpoint.operation, { username });
  const id = /req_\w+/.exec(toolText)?.[0] ?? assert.fail(toolText);
  const again = () => ask('get_answer', { request_id: id });
  assert.match(await again(), new RegExp(username));
  await server.suppressions.add(parseSubject(`tiktok:@${username}`));
  server.clock.time += 1_000;
  const refused = await again();
  assert.doesNotMatch(refused, new RegExp(username));
  assert.match(refused, /suppressed/);
  await server.suppressions.remove(parseSubject(`tiktok:@${username}`));
  server.clock.time += 1_000;
  assert.match(await again(), new RegExp(username));
});
