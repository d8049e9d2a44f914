import assert from 'node:assert/strict';
import net, { type AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { assertDescribed } from '../../support/api-description.js';
import { testServer } from '../../support/server.js';

const mib = 1024 * 1024;
const server = await testServer();
const { secret } = await server.account({ credits: 50_000 });
await server.app.listen({ host: '127.0.0.1', port: 0 });
const { port } = server.app.server.address() as AddressInfo;

interface Sent {
  readonly route?: string;
  readonly key?: string;
  readonly bytes: number;
  readonly isChunked?: boolean;
}

/** Sends a whole body before it looks for an answer, as most clients do. Rejects where the connection does not take it. */
async function answerTo(t: TestContext, { route = '/v1/jobs', key = secret, bytes, isChunked }: Sent) {
  const socket = net.connect(port, '127.0.0.1').pause();
  t.after(() => socket.destroy());
  const failed = new Promise<never>((_, reject) => socket.once('error', reject));
  const write = (piece: Buffer | string) =>
    Promise.race([new Promise<void>((resolve) => socket.write(piece, () => resolve())), failed]);
  const head = [
    `POST ${route} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    isChunked === true ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`,
  ];
  await write(`${head.join('\r\n')}\r\n\r\n`);
  const size = 64 * 1024;
  const piece = Buffer.alloc(size, ' ');
  const chunk = Buffer.concat([Buffer.from(`${size.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);
  for (let at = 0; at < bytes; at += size) await write(isChunked === true ? chunk : piece);
  if (isChunked === true) await write('0\r\n\r\n');
  let text = '';
  socket.setEncoding('utf8').on('data', (data: string) => {
    text += data;
  });
  socket.resume();
  await Promise.race([new Promise((resolve) => socket.once('end', resolve)), failed]);
  const [answer = '', body = ''] = text.split('\r\n\r\n');
  const status = Number(answer.slice(9, 12));
  const refusal = JSON.parse(body) as { readonly error: { readonly code: string } };
  assertDescribed('POST', route, status, refusal);
  return [status, refusal.error.code, /^connection: close$/im.test(answer)];
}

test('a client that sends its whole body first reads why it was refused', async (t) => {
  const cases: readonly (readonly [string, Sent, number, string])[] = [
    ['a key of nobody', { key: 'xt_live_nobody', bytes: 12 * mib }, 401, 'invalid_api_key'],
    [
      'the same, in chunks',
      { key: 'xt_live_nobody', bytes: 12 * mib, isChunked: true },
      401,
      'invalid_api_key',
    ],
    ['more than a job may have', { bytes: 40 * mib }, 413, 'body_too_large'],
    ['the same, in chunks', { bytes: 40 * mib, isChunked: true }, 413, 'body_too_large'],
    [
      'more than another route takes',
      { route: '/v1/webhooks/secret', bytes: 12 * mib },
      413,
      'body_too_large',
    ],
  ];
  for (const [name, sent, status, code] of cases) {
    await t.test(name, async (inner) => {
      assert.deepEqual(await answerTo(inner, sent), [status, code, true]);
    });
  }
});

test('no end of a refused body is waited for', async (t) => {
  await assert.rejects(answerTo(t, { key: 'xt_live_nobody', bytes: 200 * mib, isChunked: true }), {
    syscall: /^(write|read)$/,
  });
});
