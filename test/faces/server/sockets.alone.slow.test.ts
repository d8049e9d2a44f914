import assert from 'node:assert/strict';
import net, { type AddressInfo, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { againIfHeld, awakeTime } from '../../support/awake-time.js';
import { pausedPages } from '../../support/paused-pages.js';
import { queryOf, testServer } from '../../support/server.js';

/** One timeout longer than any pause of the machine, and one that the test measures. */
const longMs = 60_000;
const server = await testServer({
  timeouts: {
    headersMs: longMs,
    requestMs: longMs,
    keepAliveMs: longMs,
    checkIntervalMs: 50,
    stalledMs: longMs,
  },
});
const impatient = await testServer({
  timeouts: { headersMs: 1_000, requestMs: 1_200, keepAliveMs: 200, checkIntervalMs: 50, stalledMs: 400 },
  deadlineMs: 1_000,
});
const { secret } = await server.account({ credits: 50_000 });
const { secret: otherSecret } = await impatient.account({ credits: 50_000 });
for (const { app } of [server, impatient]) await app.listen({ host: '127.0.0.1', port: 0 });
type SocketServer = typeof server;
const portOf = ({ app }: SocketServer) => (app.server.address() as AddressInfo).port;
const sockets = new Set<Socket>();
after(() => {
  for (const socket of sockets) socket.destroy();
});

/** A connection that sends something, and everything it hears until it is closed. */
function talk(
  content: string | Buffer | ((socket: Socket) => void),
  { halfOpen = false, to = server }: { halfOpen?: boolean; to?: SocketServer } = {},
): Promise<{ readonly text: string }> {
  const socket = net.connect({ port: portOf(to), host: '127.0.0.1', allowHalfOpen: halfOpen });
  sockets.add(socket);
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (part) => {
    text += part;
  });
  socket.on('error', () => undefined);
  if (typeof content === 'function') content(socket);
  else socket.write(content);
  return new Promise((resolve) =>
    socket.once('close', () => {
      sockets.delete(socket);
      resolve({ text });
    }),
  );
}

/** The contract's error object of an answer written by hand. */
function errorIn({ text }: { readonly text: string }, status = 400): Record<string, string> {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
  const { error } = JSON.parse(body);
  assert.deepEqual(Object.keys(error), ['type', 'code', 'message', 'docs', 'request_id']);
  assert.ok(new RegExp(`X-Request-Id: ${error.request_id}`, 'i').test(head));
  assert.match(head, /X-Content-Type-Options: nosniff/i);
  return error;
}

const healthy = async (app = server) => {
  const answer = await fetch(`http://127.0.0.1:${portOf(app)}/healthz`, {
    headers: { connection: 'close' },
  });
  assert.equal(answer.status, 200);
};
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const demo = '/v1/shortvideo/profile?username=nasa&demo=true';
const close = 'Connection: close\r\n';
const json = 'Content-Type: application/json\r\n';
const bearer = `Authorization: Bearer ${secret}\r\n`;
const post = (path: string, headers: string, body = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${bearer}${headers}\r\n${body}`;
const openAt = ({ app }: SocketServer) =>
  new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));

describe('invalid requests', () => {
  test('lacks a Host header, or has several', async () => {
    for (const path of ['/healthz', demo, '/nothing', '/dashboard', '/mcp']) {
      for (const hosts of ['', 'Host: a\r\nHost: b\r\n', 'Host: a\r\nhOST: a\r\n']) {
        const error = errorIn(await talk(`GET ${path} HTTP/1.1\r\n${hosts}\r\n`));
        assert.equal(error.code, 'invalid_parameter');
        assert.match(error.message ?? '', /Host header.*Send exactly one/);
      }
    }
    const { text } = await talk('GET /healthz HTTP/1.0\r\n\r\n');
    assert.match(text, /^HTTP\/1\.1 200 /);
  });

  test('has an unsupported Expect header', async () => {
    const error = errorIn(await talk(get('/healthz', 'Expect: tea\r\n')), 417);
    assert.equal(error.code, 'invalid_body');
    const { text } = await talk(
      `POST /v1/jobs HTTP/1.1\r\nHost: x\r\n${close}Expect: 100-continue\r\n${json}Content-Length: 2\r\n\r\n{}`,
    );
    assert.match(text, /^HTTP\/1\.1 (100 Continue|401)/);
  });

  test('a TLS greeting is hung up on', async () => {
    const { text } = await talk(Buffer.from('160301020001000001fc0303', 'hex'));
    assert.match(text, /^(HTTP\/1\.1 400 |$)/);
  });

  test('headers beyond 16 KiB are refused', async () => {
    const error = errorIn(await talk(get('/healthz', `X-Long: ${'y'.repeat(20_000)}\r\n`)));
    assert.match(error.message ?? '', /16 KiB/);
    errorIn(await talk(get(`/${'z'.repeat(100_000)}`)));
  });

  test('comes after a good one, with it or later: that one is answered', async () => {
    const nonsense = 'NONSENSE\r\n\r\n';
    const later = (socket: Socket) => {
      socket.write(get('/healthz'));
      socket.once('data', () => socket.write(nonsense));
    };
    for (const sent of [`${get('/healthz')}${nonsense}`, later]) {
      const { text } = await talk(sent);
      assert.match(text, /^HTTP\/1\.1 200 /);
      assert.equal(errorIn({ text: text.slice(text.indexOf('HTTP/1.1 4')) }).code, 'invalid_parameter');
    }
    await healthy();
  });
});

describe('refusals of the HTTP layer have the error object', () => {
  const ofJob = (headers: string, body = '') => post('/v1/jobs', headers, body);
  const sized = (type: string, body: string) =>
    ofJob(`${type}${close}Content-Length: ${body.length}\r\n`, body);
  const chunked = (body: string, how = 'chunked') => ofJob(`${json}Transfer-Encoding: ${how}\r\n`, body);
  const upgrade = (path: string, to: string, more = '', connection = '') =>
    get(path, `Connection: Upgrade,${connection} close\r\nUpgrade: ${to}\r\n${more}`);
  const invalid = [400, 'invalid_parameter'] as const;
  const body = [400, 'invalid_body'] as const;
  const unknown = [404, 'endpoint_not_found'] as const;
  const odd = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\n${close}\r\n`;
  const cases: readonly (readonly [what: string, request: string, status: number, code: string])[] = [
    ...[
      'GARBAGE\r\n\r\n',
      '\0\0\0\0\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET / HTTP/1.1\r\nbad header\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: nine\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n',
    ].map((text) => [JSON.stringify(text), text, ...invalid] as const),
    ['a tunnel', odd('CONNECT example.com:443'), 405, 'method_not_allowed'],
    ['an unknown method', odd('PURGE /healthz'), 405, 'method_not_allowed'],
    ['an unknown method of a call', odd('PROPFIND /v1/maps/place'), 405, 'method_not_allowed'],
    ['OPTIONS of *', odd('OPTIONS *'), ...unknown],
    ['an absolute address', odd('GET http://x/nothing'), ...unknown],
    ['a body announced too large', ofJob(`${json}Content-Length: 99999999\r\n`), 413, 'body_too_large'],
    ['a body for nobody', post('/mcp/elsewhere', `${json}${close}Content-Length: 3\r\n`, '{}\n'), ...unknown],
    ['JSON that is none', sized(json, '{'), ...body],
    ['an empty body', sized(json, ''), ...body],
    ['text', sized('Content-Type: text/plain\r\n', '{}'), ...body],
    ['no type at all', sized('', '{}'), ...body],
    ['a charset of nobody', sized('Content-Type: application/json; charset=x\r\n', '{'), ...body],
    ['a type that is none', sized('Content-Type: ;;;\r\n', '{}'), ...body],
    ['POST of a call', post('/v1/maps/place', `${close}Content-Length: 0\r\n`), 405, 'method_not_allowed'],
    ['a path that is none', get('/%', close), ...invalid],
    ['a path with NUL', get('/v1/jobs/%00', `${bearer}${close}`), 404, 'job_not_found'],
    ['a socket of the web', upgrade('/v1/maps/place', 'websocket'), 401, 'missing_api_key'],
    [
      'HTTP/2 without TLS',
      upgrade('/nothing', 'h2c', 'HTTP2-Settings: AAM\r\n', ' HTTP2-Settings,'),
      ...unknown,
    ],
    ['HTTP/2 at once', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ...invalid],
    ['a chunk of no length', chunked('xyz\r\n'), ...invalid],
    ['a chunk that is longer than it says', chunked('1\r\n{}\r\n'), ...invalid],
    ['a chunk whose extension has no end', chunked(`1;${'x'.repeat(40_000)}`), 413, 'body_too_large'],
    ['chunked twice', chunked('0\r\n\r\n', 'chunked, chunked'), ...invalid],
    ['two lengths', ofJob(`${json}Content-Length: 1\r\nContent-Length: 2\r\n`, '{}'), ...invalid],
    ['headers without end', get('/', `X: ${'y'.repeat(30_000)}\r\n`), ...invalid],
    ['a header with a line feed alone', 'GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n', ...invalid],
  ];
  for (const [what, request, status, code] of cases) {
    test(what, async () => {
      assert.equal(errorIn(await talk(request), status).code, code);
      await healthy();
    });
  }

  for (const [what, rest] of [
    ['a body that does not come', 'Content-Length: 9\r\n\r\n{'],
    ['chunks that do not come', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n'],
  ] as const) {
    test(what, async () => {
      const head = `POST /v1/jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${otherSecret}\r\n${json}`;
      assert.equal(errorIn(await talk(head + rest, { to: impatient })).code, 'invalid_parameter');
    });
  }
});

describe('slow clients', () => {
  test('that send their headers slowly are disconnected', async () => {
    const heard = talk(
      (socket) => {
        const drops = setInterval(() => socket.write('X-A: b\r\n'), 30);
        socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
        socket.once('close', () => clearInterval(drops));
      },
      { to: impatient },
    );
    assert.match(errorIn(await heard).message ?? '', /in time/);
  });

  test('that announce a body and do not send it are disconnected', async () => {
    const { text } = await talk(
      'POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      { to: impatient },
    );
    assert.match(text, /^(HTTP\/1\.1 4\d\d |$)/);
  });

  test('that send nothing are disconnected, and so are idle ones after an answer', async () => {
    await talk(() => undefined, { to: impatient });
    await againIfHeld(async () => {
      const { text } = await talk(get('/healthz'), { to: impatient });
      assert.match(text, /^HTTP\/1\.1 200 /);
    });
  });
});

describe('clients that do not read their response', () => {
  test('are disconnected, and delay no other client', async () => {
    const heard = talk(
      (socket) => {
        socket.pause();
        socket.write(get('/openapi.json').repeat(200));
      },
      { to: impatient },
    );
    await againIfHeld(() => healthy(impatient));
    while ((await openAt(impatient)) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    for (const socket of sockets) socket.resume();
    await heard;
  });
});

describe('half-closed connections', () => {
  test('get their answer', async () => {
    const { text } = await talk((socket) => socket.end(get(demo)), { halfOpen: true });
    assert.match(text, /^HTTP\/1\.1 200 /);
    assert.match(text, /"credits_charged":0/);
  });

  test('that leave before the answer only cost the server the answer', async () => {
    await Promise.all(
      Array.from({ length: 50 }, () =>
        talk((socket) => {
          socket.write(get(demo), () => socket.destroy());
        }),
      ),
    );
    await healthy();
  });
});

test('the call of a client that disconnects is charged, and its answer cached', async () => {
  const endpoint = endpoints.find(({ path }) => path === 'shortvideo/profile') ?? assert.fail();
  await server.serve(endpoint);
  const { source, begun: requested, goOn } = pausedPages(server.pages);
  server.pages = source;
  const url = `/v1/shortvideo/profile?${await queryOf(endpoint)}`;
  const closing = talk(get(url, bearer));
  await requested;
  for (const socket of sockets) socket.destroy();
  await closing;
  goOn();
  const again = await server.ask(url, secret);
  assert.equal(again.body.meta.credits_charged, 3);
  // The first call was either still running, and was joined, or had filled the cache: the platform got one request.
  assert.equal(again.status, 200);
  const { data } = (await server.ask('/v1/usage?endpoint=shortvideo/profile', secret)).body;
  const statuses = (data as { status: string }[]).map(({ status }) => status);
  assert.deepEqual(statuses, ['ok', 'ok']);
});

test('ten thousand bad requests, concurrent and sequential, leave the server unchanged', async () => {
  const bad = [
    'GARBAGE\r\n\r\n',
    get('/nothing'),
    get('/v1/maps/place'),
    get('/v1/maps/place?x=%zz'),
    get('/v1/account', 'Authorization: Bearer xt_live_nonsense\r\n'),
    `DELETE /v1/maps/place HTTP/1.1\r\nHost: x\r\n\r\n`,
  ];
  const logged = server.lines.length;
  let answered = 0;
  const client = async (first: number) => {
    for (let at = first; at < 10_000; at += 100) {
      const request = bad[at % bad.length] ?? '';
      // Every second client disconnects before its answer.
      const { text } = await talk((socket) => {
        if (at % 2 === 0) socket.end(request);
        else socket.write(request, () => setImmediate(() => socket.destroy()));
      });
      if (/^HTTP\/1\.1 4\d\d /.test(text)) answered += 1;
    }
  };
  global.gc?.();
  const before = process.memoryUsage().heapUsed;
  await Promise.all(Array.from({ length: 100 }, (_, first) => client(first)));
  assert.ok(answered >= 4_900, String(answered));
  assert.ok(server.lines.length > logged);
  server.lines.length = 0;
  await healthy();
  // Requests whose clients did not wait for them are still being answered: none of their connections stays after that.
  const until = awakeTime() + 10_000;
  while ((await openAt(server)) > 0 && awakeTime() < until) await new Promise(setImmediate);
  assert.equal(await openAt(server), 0);
  assert.ok(process.memoryUsage().heapUsed - before < 300_000_000);
});
