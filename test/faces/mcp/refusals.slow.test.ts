import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { describe, test } from 'node:test';
import { hello, newRevisionMeta, post, serveTools } from './server-harness.js';

interface Refusal {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look at what was sent
  readonly body: any;
}

interface Request {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The answer to a request with headers that `fetch` would not send. */
async function send(url: string, { method = 'POST', headers = {}, body = hello }: Request) {
  const request = http.request(url, {
    ...{ method, agent: false },
    headers: {
      ...{ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      ...headers,
    },
  });
  request.end(typeof body === 'string' ? body : JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const text = (await response.toArray()).join('');
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

async function ask(url: string, request: Request): Promise<Refusal> {
  const { text, ...answer } = await send(url, request);
  return { ...answer, body: JSON.parse(text) };
}

const statusOf = async (url: string, headers: Readonly<Record<string, string>>) =>
  (await send(url, { headers })).status;

/** Checks that a refusal holds the contract's error object, as the body or as the data of a protocol's error. */
function errorOf(
  { status, headers, body }: Refusal,
  expected: number,
  form: 'protocol' | 'http' = 'protocol',
) {
  assert.equal(status, expected, JSON.stringify(body));
  const error = form === 'protocol' ? body.error.data : body.error;
  if (form === 'protocol')
    assert.deepEqual(
      [body.jsonrpc, typeof body.error.code, typeof body.error.message],
      ['2.0', 'number', 'string'],
    );
  for (const key of ['code', 'docs', 'message', 'request_id', 'type']) {
    assert.equal(typeof error?.[key], 'string', `${key} of ${JSON.stringify(body)}`);
  }
  assert.equal(error.request_id, headers['x-request-id']);
  assert.match(error.docs, new RegExp(`^http.*/docs/errors/${error.code}$`));
  // What was wrong, and what to do next.
  assert.match(error.message, /\.$/);
  assert.match(headers['cache-control'] ?? '', /no-store/);
  return error.code as string;
}

describe('what /mcp refuses carries the contract’s error object', () => {
  const newer = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'server/discover' };
  const nobodys = { ...newer, 'MCP-Protocol-Version': '2999-01-01' };
  const discover = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: newRevisionMeta } };
  const cases: readonly (readonly [what: string, request: Request, status: number, code: string])[] = [
    ['a host that is not served', { headers: { Host: 'evil.example' } }, 403, 'invalid_parameter'],
    ...['https://evil.example', 'null'].map(
      (Origin) => [`the origin ${Origin}`, { headers: { Origin } }, 403, 'invalid_parameter'] as const,
    ),
    ['a body that is not JSON', { body: '{' }, 400, 'invalid_body'],
    ['a body of several messages', { body: [hello, hello] }, 400, 'invalid_body'],
    ...['1', 'null'].map((body) => [`the body ${body}`, { body }, 400, 'invalid_body'] as const),
    ['a body of another kind', { headers: { 'Content-Type': 'text/plain' } }, 400, 'invalid_body'],
    ['a body that is too large', { body: { ...hello, pad: 'x'.repeat(70_000) } }, 413, 'body_too_large'],
    ['an answer in another form', { headers: { Accept: 'text/html' } }, 406, 'invalid_parameter'],
    ['a newer revision without its headers', { body: discover }, 400, 'invalid_parameter'],
    ['a revision of nobody', { body: discover, headers: nobodys }, 400, 'invalid_parameter'],
  ];
  for (const [what, request, status, code] of cases) {
    test(what, async (t) => {
      const { url } = await serveTools(t);
      assert.equal(errorOf(await ask(url, request), status), code);
    });
  }

  test('a body that is not JSON has the protocol’s code', async (t) => {
    const { url } = await serveTools(t);
    const codeOf = async (request: Request) => (await ask(url, request)).body.error.code;
    assert.deepEqual(
      [await codeOf({ body: '{' }), await codeOf({ body: '' }), await codeOf({ body: '1' })],
      [-32700, -32700, -32600],
    );
  });

  test('a cursor that no list issued, for each list', async (t) => {
    const { url } = await serveTools(t);
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
      const messageOf = async (params: object) => {
        const response = await post(url, { jsonrpc: '2.0', id: 1, method, params });
        return JSON.parse((await response.text()).replace(/^event: message\ndata: /, ''));
      };
      const { error } = await messageOf({ cursor: 'of-nobody' });
      assert.equal(error?.code, -32602, method);
      assert.match(error.message, /single page\. Omit cursor\.$/);
      // Some clients fill it in as an empty text for the first page.
      assert.ok((await messageOf({ cursor: '' })).result, method);
    }
  });

  test('an unrequested stream, and other methods, as HTTP errors', async (t) => {
    const { url } = await serveTools(t);
    for (const method of ['GET', 'PUT', 'PATCH']) {
      const refusal = await ask(url, { method });
      assert.equal(errorOf(refusal, 405, 'http'), 'method_not_allowed', method);
      assert.equal(refusal.headers.allow, 'DELETE, POST');
    }
  });

  test('none of a host or origin that the operator or this machine has', async (t) => {
    const { url } = await serveTools(t, { config: { allowedHosts: ['tools.example'] } });
    const Host = 'tools.example';
    for (const headers of [
      { Host },
      { Host, Origin: `https://${Host}` },
      { Origin: 'http://localhost:6274' },
    ])
      assert.equal(await statusOf(url, headers), 200, JSON.stringify(headers));
  });

  test('a key in a message is not repeated', async (t) => {
    const server = await serveTools(t);
    const { secret } = await server.holder();
    for (const request of [
      { body: { ...discover, method: secret }, headers: { ...newer, 'Mcp-Method': secret } },
      { body: { ...hello, params: { ...hello.params, protocolVersion: 1, x: secret } } },
    ]) {
      const refusal = await ask(server.url, request);
      assert.ok(!JSON.stringify(refusal.body).includes(secret));
    }
  });
});
