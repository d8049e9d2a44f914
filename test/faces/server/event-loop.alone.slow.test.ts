import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { LogThread } from '../../../lib/database/sqlite/log-thread.js';
import { endpoints } from '../../../lib/endpoints.js';
import { LoopWatch } from '../../support/loop-watch.js';
import type { Part, RawRequest } from '../../support/raw-client.js';
import { routesOf } from '../../support/route-table.js';
import { queryOf, testServer } from '../../support/server.js';
import { Browser } from '../dashboard/support/browser.js';

/** Milliseconds for which one request may hold the event loop. */
const maxTurn = 50;

const server = await testServer({ pages: true, config: { allowedHosts: ['*'] } });
const { secret } = await server.account({ credits: 900_000_000 });
await server.app.listen({ host: '127.0.0.1', port: 0 });
const { port } = server.app.server.address() as AddressInfo;
const client = new Worker(new URL('../../support/raw-client.ts', import.meta.url));
// As in a server: what it moves, the loop has not to.
const logThread = new LogThread(path.join(server.home, 'ledger.db'));
const watch = new LoopWatch();
after(async () => {
  watch.stop();
  await logThread.close();
  await client.terminate();
});

const browser = new Browser(server.app);
await browser.signIn('flood@example.com', server.mailer);
const { csrf = '' } = await browser.get('/dashboard/jobs/new');
const cookie = browser.jar.getCookieStringSync('http://localhost/');

/** Every route of the server itself: a new one is tried like the others. */
const table = await routesOf(server.app);
/** What ends the session, or the account, that the others are tried with. */
const endsTheBed = /sign-out|\/settings\/delete|\/sessions/;
const values: Readonly<Record<string, string>> = { ':id': 'x', '*': 'x', ':token': 'x' };
const addressOf = (path: string) =>
  path.replaceAll(/:\w+|\*/g, (name) => values[name] ?? 'x').replaceAll(' ', '%20');
/** One of each kind. The guides, the errors and the endpoints have a page each, and all of a kind are alike. */
const routes = [
  ...new Set(
    table
      .filter(({ path }) => !/^\/docs\/(errors|guides|endpoints)\/./.test(path))
      .map(({ path }) => addressOf(path)),
  ),
  ...['/nothing', '/docs/errors/x', '/stripe/events'],
];

async function send(request: Omit<RawRequest, 'port'>): Promise<string> {
  client.postMessage({ port, ...request });
  const [answer] = (await once(client, 'message')) as [string];
  return answer;
}

const headAs = (apiKey: string, method: string, url: string, ...more: readonly string[]) => [
  ...[`${method} ${url} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${apiKey}`],
  ...more,
];
const head = (method: string, url: string, ...more: readonly string[]) =>
  headAs(secret, method, url, ...more);
const accept = 'Accept: application/json, text/event-stream';
/** A form or a body of any type, as from a page of the session. */
const typed = (url: string, type: string, body: readonly Part[], method = 'POST') => ({
  head: head(method, url, `Cookie: ${cookie}`, `Content-Type: ${type}`, accept),
  body,
});
const json = (url: string, ...body: readonly Part[]) => ({
  head: head('POST', url, 'Content-Type: application/json', accept),
  body,
});
const csrfField = `_csrf=${encodeURIComponent(csrf)}&`;
const formOf = (url: string, ...body: readonly Part[]) =>
  typed(url, 'application/x-www-form-urlencoded', [csrfField, ...body]);
/** What follows the name in a part's header. */
const dispositions: Readonly<Record<string, string>> = {
  file: '; filename="f.ndjson"',
  json: '\r\nContent-Type: application/json',
  utf16: '\r\nContent-Type: text/plain; charset=utf-16le',
};
const upload = (...fields: readonly (readonly [name: string, ...content: Part[]])[]) =>
  typed('/dashboard/jobs/new', 'multipart/form-data; boundary=b', [
    ...[['_csrf', csrf] as const, ...fields].flatMap(([name, ...content]): Part[] => [
      `--b\r\nContent-Disposition: form-data; name="${name}"${dispositions[name] ?? ''}\r\n\r\n`,
      ...content,
      '\r\n',
    ]),
    '--b--\r\n',
  ]);
const uploadOf = (field: 'file' | 'text' | 'json', ...content: readonly Part[]) =>
  upload(['endpoint', 'maps/place'], [field, ...content]);

/** Sends a request, and repeats it if it blocked the loop: the first of a kind compiles and loads shared code. */
async function assertLight(what: string, request: Omit<RawRequest, 'port'>): Promise<string> {
  const worst: number[] = [];
  let answer = '';
  for (let tries = 0; tries < 3; tries += 1) {
    await new Promise(setImmediate);
    watch.take();
    answer = await send(request);
    await new Promise(setImmediate);
    worst.push(watch.take());
    if ((worst.at(-1) ?? 0) <= maxTurn) return answer;
  }
  assert.fail(
    `${what} held the event loop for ${worst.map((ms) => ms.toFixed(0)).join(', ')} ms: ${answer.slice(0, 200)}`,
  );
}

const MiB = 1024 * 1024;
const job = (...inputs: readonly Part[]) =>
  json('/v1/jobs', '{"endpoint":"maps/place","inputs":[', ...inputs, ']}');
const many = (times: number, parts: readonly Part[]) => Array.from({ length: times }, () => parts).flat();
const wide = (times: number): Part[] => ['{"a":1', { text: ',"k#":1', times }, '}'];

describe('no request blocks the event loop', () => {
  const large: Readonly<Record<string, Omit<RawRequest, 'port'>>> = {
    'one input of a million keys': job(...wide(1_200_000)),
    'inputs of thousands of keys': job('{}', ...many(100, [',', ...wide(7000)])),
    'ten thousand inputs': job('{}', { text: ',{"place_id":"p#"}', times: 9999 }),
    'ten thousand large inputs': job('{}', { text: `,{"place_id":"p#${'x'.repeat(1500)}"}`, times: 9999 }),
    'one long text': job('{"a":"', { text: 'x', times: 15 * MiB }, '"}'),
    'one long text of escapes': job('{"a":"', { text: '\\u0041', times: 2.5 * MiB }, '"}'),
    'deep lists': job({ text: '[', times: 8 * MiB }, { text: ']', times: 7 * MiB }),
    'deep objects': job({ text: '{"a":', times: 2.5 * MiB }),
    'inputs that are numbers': job('1', { text: ',1', times: 7 * MiB }),
    'inputs that are empty': job('{}', { text: ',{}', times: 4 * MiB }),
    'white space alone': json('/v1/jobs', { text: ' ', times: 15 * MiB }),
    'white space between': job({ text: '\n', times: 15 * MiB }, '{}'),
    'many fields': json('/v1/jobs', '{"a":1', { text: ',"f#":1', times: 1_000_000 }, '}'),
    'a long field': json('/v1/jobs', '{"endpoint":"', { text: 'x', times: 15 * MiB }, '"}'),
    'a long name of a field': json('/v1/jobs', '{"', { text: 'x', times: 15 * MiB }, '":1}'),
    'no JSON at all': json('/v1/jobs', { text: '\u0000', times: 15 * MiB }),
    'an upload of small inputs': uploadOf('file', { text: '{"place_id":"p#"}\n', times: 10_000 }),
    'an upload of one wide line': uploadOf('file', ...wide(1_200_000)),
    'an upload of wide lines': uploadOf('file', ...many(100, [...wide(6000), '\n'])),
    'an upload of nothing': uploadOf('file', { text: '\n', times: MiB }),
    'an upload of commas': uploadOf('text', 'place_id,language\n', { text: ',', times: 15 * MiB }),
    'an upload of quotes': uploadOf('text', 'place_id,language\n', { text: '"\n', times: MiB / 4 }),
    'an upload of many lines': uploadOf('text', { text: 'line #\n', times: 100_000 }),
    'an upload of one wide text': uploadOf('text', ...wide(1_200_000)),
    'an upload of one wide field that is JSON': uploadOf('json', ...wide(1_200_000)),
    'an upload of one deep field that is JSON': upload(['json', { text: '[', times: 15 * MiB }]),
    'an upload of ten long fields': upload(
      ...Array.from({ length: 9 }, (_, at) => [`f${at}`, { text: 'é', times: MiB }] as const),
    ),
    'an upload of a long field in another encoding': upload(['utf16', { text: 'é', times: 7 * MiB }]),
    'an upload of many fields': upload(...Array.from({ length: 2000 }, (_, at) => [`f${at}`, 'x'] as const)),
  };
  for (const [what, request] of Object.entries(large)) {
    test(what, async () => {
      const answer = await assertLight(what, request);
      assert.match(answer, /^HTTP\/1\.1 (202|303|4\d\d) |^$/, what);
    });
  }

  test('a job of ten thousand inputs that is cancelled, looked at, and deleted with its account', async () => {
    const { id: account, secret: apiKey } = await server.account({ credits: 900_000 });
    const as = (method: string, url: string) => ({ head: headAs(apiKey, method, url), body: null });
    const order = job('{}', { text: ',{"place_id":"p#"}', times: 9999 });
    const answers: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const head = headAs(apiKey, 'POST', '/v1/jobs', ...order.head.slice(3));
      answers.push(await assertLight('a job', { ...order, head }));
    }
    const ids = answers.map((answer) => /"id":"(job_\w+)"/.exec(answer)?.[1] ?? '');
    await assertLight('usage', as('GET', `/v1/usage?job_id=${ids[0]}`));
    await server.jobs.store.cancel(account, ids[0] ?? '');
    await assertLight('cancelling', as('POST', `/v1/jobs/${ids[1]}/cancel`));
    await assertLight('usage of a cancelled job', as('GET', `/v1/usage?job_id=${ids[1]}`));
    await assertLight('usage', as('GET', '/v1/usage'));
    watch.take();
    await server.jobs.cancelAll(account);
    await server.accounts.delete(account);
    await server.jobs.forgetDeleted();
    const worst = watch.take();
    assert.ok(worst <= maxTurn, `deleting the account held the loop for ${worst} ms`);
  });

  test('a hundred schedules of the most frequent timetable', async () => {
    const { secret: apiKey } = await server.account({ credits: 900_000 });
    for (let count = 0; count < 100; count += 1) {
      const schedule = `${count % 15}-59/15 * * * *`;
      const { statusCode, payload } = await server.app.inject({
        ...{ method: 'POST', url: '/v1/jobs', headers: { authorization: `Bearer ${apiKey}` } },
        payload: { endpoint: 'maps/place', inputs: [{ place_id: 'p' }], schedule },
      });
      assert.equal(statusCode, 202, payload);
    }
    for (const url of ['/v1/schedules?limit=100', '/v1/schedules', '/v1/schedules?limit=100']) {
      const request = { head: headAs(apiKey, 'GET', url), body: null };
      assert.match(await assertLight(url, request), /^HTTP\/1\.1 200 /);
    }
  });

  test('a body for none of them, at every route that takes one, and at every page', async () => {
    assert.ok(table.length > 150, String(table.length));
    const bodies: readonly (readonly [type: string, ...Part[]])[] = [
      ['application/json', ...wide(5500)],
      ['application/json', { text: '[', times: 60_000 }],
      ['application/x-www-form-urlencoded', csrfField, { text: 'a=1&', times: 15_000 }],
      [
        'multipart/form-data; boundary=b',
        `--b\r\nContent-Disposition: form-data; name="_csrf"\r\n\r\n${csrf}\r\n`,
        { text: '--b\r\nContent-Disposition: form-data; name="a#"\r\n\r\nx\r\n', times: 800 },
        '--b--\r\n',
      ],
    ];
    for (const { method, path } of table) {
      // What it does is done once: the next tries meet it done.
      const url = addressOf(path);
      if (method === 'GET') {
        await assertLight(`${method} ${path}`, { head: head(method, url, `Cookie: ${cookie}`), body: null });
        continue;
      }
      if (endsTheBed.test(path)) continue;
      for (const [type, ...body] of bodies) {
        await assertLight(`${method} ${path}, ${type}`, typed(url, type, body, method));
      }
    }
  });

  test('with any body, at every route', async () => {
    const unit = fc.constantFrom(
      ...'[ {"a": " \\ \\u0041 a & a& a=1& a[b]=1& % %41 + = , 1, < é {"k#":1}, "k#":1,'.split(' '),
      ...[' ', '\n', '\u0000', '--b\r\n'],
    );
    const rpc = '{"jsonrpc":"2.0","id":1,"method":';
    const before = fc.constantFrom(
      ...['', '{', '[', '{"a":', 'a=', `${rpc}"initialize","params":{"a":"`],
      `${rpc}"tools/call","params":{"name":"get_place","arguments":{`,
    );
    const kind = fc.constantFrom(
      ...['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'],
      ...['text/plain', 'application/x-ndjson', 'application/json; charset=utf-16'],
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes.filter((route) => !endsTheBed.test(route))),
        kind,
        before,
        unit,
        fc.constantFrom(60_000, 63_000, 63_000, 1_000_000),
        fc.boolean(),
        async (route, type, begin, text, size, isLast) => {
          const times = Math.floor(size / Buffer.byteLength(text.replace('#', '00000')));
          const body: Part[] = [
            type.includes('form-urlencoded') ? csrfField : '',
            begin,
            { text, times },
            isLast ? '"}]}}}' : '',
          ];
          const what = `${route} ${type} ${begin}${JSON.stringify(text)} × ${times}`;
          await assertLight(what, typed(route, type, body));
        },
      ),
      { numRuns: 40, seed: 12 },
    );
  });

  test('with any URL and headers, at every route', async () => {
    const unit = fc.constantFrom(
      ...'a / %41 % a=1& & = a=%F0%9F%98%80& url=https://a.b/ .. /../ ; ,'.split(' '),
      ...'" \\ @ # [ ( !1s0x demo=true& x-'.split(' '),
    );
    const name = fc.constantFrom(
      ...'Cookie Accept Accept-Encoding Range Authorization Idempotency-Key X-Forwarded-For'.split(' '),
      ...'Origin Mcp-Session-Id If-None-Match Content-Type Forwarded User-Agent'.split(' '),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes),
        unit,
        fc.constantFrom('?', '/', '?query=', '?url=https://', '?cursor='),
        fc.option(name),
        async (route, text, join, header) => {
          const fill = (bytes: number) => text.repeat(Math.floor(bytes / text.length));
          const lines = header === null ? [] : [`${header}: ${fill(7000).trim()}`];
          const url = `${route}${join}${fill(header === null ? 8000 : 4000).replaceAll(/[#\s"]/g, '_')}`;
          const request = { head: [...head('GET', url), ...lines], body: null };
          await assertLight(`${url.slice(0, 60)} ${header ?? ''}`, request);
        },
      ),
      { numRuns: 40, seed: 12 },
    );
  });

  test('every endpoint’s sample', async () => {
    for (const endpoint of endpoints) {
      const url = `/v1/${endpoint.path}?${await queryOf(endpoint)}&demo=true`;
      await assertLight(endpoint.path, { head: head('GET', url), body: null });
    }
  });

  test('bodies that come in the smallest chunks', async () => {
    const blank = { text: ' ', times: MiB / 4 };
    const bodies: Readonly<Record<string, Omit<RawRequest, 'port'>>> = {
      'a job': job(blank, '{"place_id":"p"}'),
      'a job of nobody': { ...json('/v1/jobs', blank), head: head('POST', '/v1/jobs').slice(0, 2) },
      'an upload': upload(['endpoint', 'maps/place'], ['file', '{"place_id":"p"}', blank]),
      'a form': formOf('/dashboard/keys', blank),
      tools: json('/mcp', blank),
      'no route': json('/nothing', blank),
      'a call': { head: head('GET', '/v1/maps/place?place_id=p&demo=true'), body: [blank] },
    };
    for (const [what, request] of Object.entries(bodies)) {
      for (const chunk of [1, 16]) {
        const answer = await assertLight(`${what} in chunks of ${chunk}`, { ...request, chunk });
        if (what === 'a job') assert.match(answer, /^HTTP\/1\.1 202 /);
        if (what === 'an upload') assert.match(answer, /^HTTP\/1\.1 303 /);
      }
    }
  });

  test('forms of many fields', async () => {
    for (const text of ['a=1&', 'a&', 'k#=1&', 'a%41=%42&', '&']) {
      for (const url of ['/sign-in', '/dashboard/keys', '/dashboard/playground']) {
        const field = { text, times: Math.floor(64_000 / (text.length + 4)) };
        await assertLight(`${url} ${text}`, formOf(url, field));
      }
    }
  });
});
