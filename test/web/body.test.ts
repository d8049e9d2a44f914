import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { PassThrough, pipeline, Readable } from 'node:stream';
import { test } from 'node:test';
import * as zlib from 'node:zlib';
import { acceptEncoding, readBody } from '../../lib/web/body.js';
import type { Handler } from '../support/loopback.js';
import { served } from './served.js';

/** Text that does not compress well: a cut anywhere loses some of it. */
const noise = Array.from({ length: 2000 }, (_, index) =>
  createHash('sha256').update(String(index)).digest('base64'),
).join('\n');

const packed: Readonly<Record<string, Buffer>> = {
  gzip: zlib.gzipSync(noise),
  'x-gzip': zlib.gzipSync(noise),
  GZIP: zlib.gzipSync(noise),
  deflate: zlib.deflateSync(noise),
  br: zlib.brotliCompressSync(noise),
  identity: Buffer.from(noise),
  'gzip, br': zlib.brotliCompressSync(zlib.gzipSync(noise)),
};

const readAll = (body: Buffer, encoding: string, maxBytes = 1_000_000) =>
  readBody(Readable.from([body.subarray(0, 10), body.subarray(10)]), encoding, undefined, maxBytes);

for (const [encoding, body] of Object.entries(packed)) {
  test(`a body in ${encoding} is decoded`, async () => {
    assert.equal(Buffer.from(await readAll(body, encoding)).toString(), noise);
  });
}

const hasZstd = 'zstdCompressSync' in zlib;

test('zstd is offered and decoded if this Node supports it', {
  skip: !hasZstd && 'no zstd here',
}, async () => {
  const compress = (zlib as unknown as { zstdCompressSync(text: string): Buffer }).zstdCompressSync;
  assert.equal(Buffer.from(await readAll(compress(noise), 'zstd')).toString(), noise);
  assert.equal(acceptEncoding, 'gzip, br, zstd');
});

for (const encoding of ['gzip', 'deflate', 'br']) {
  test(`a cut-off or corrupt ${encoding} body is an error, not a shorter body`, async () => {
    const body = Buffer.from(packed[encoding] as Buffer);
    await assert.rejects(readAll(body.subarray(0, body.length - 20), encoding));
    await assert.rejects(readAll(body.fill(0x5a, 100, 400), encoding));
  });
}

test('an empty body is empty, whatever its encoding says', async () => {
  assert.equal((await readBody(Readable.from([]), 'gzip', '0', 10)).byteLength, 0);
});

for (const encoding of ['compress', 'aws-chunked', 'constructor', 'gzip, gzip, gzip, gzip']) {
  test(`the encoding “${encoding}” is refused and the stream closed`, async () => {
    const source = new PassThrough();
    await assert.rejects(readBody(source, encoding, undefined, 10), { name: 'UnreadableEncoding' });
    assert.ok(source.destroyed);
  });
}

test('a body of exactly the bound is read, and one byte more is not', async () => {
  assert.equal((await readAll(Buffer.alloc(100), '', 100)).byteLength, 100);
  await assert.rejects(readAll(Buffer.alloc(101), '', 100), {
    code: 'platform_changed',
    message:
      'The page is larger than 100 bytes and was not read. Save the page with --save-pages and report it.',
  });
});

test('a body whose content-length is above the bound is not read at all', async () => {
  const source = new PassThrough();
  await assert.rejects(readBody(source, '', '101', 100), { code: 'platform_changed' });
  assert.ok(source.destroyed);
});

test('an endless bomb in two layers is cut off after a little of it', async () => {
  const zeros = zlib.gzipSync(zlib.gzipSync(Buffer.alloc(64 * 1024 * 1024)));
  let count = 0;
  const source = new Readable({
    read() {
      count += 1;
      this.push(zeros);
    },
  });
  await assert.rejects(readBody(source, 'gzip, gzip', undefined, 100_000), { code: 'platform_changed' });
  assert.ok(source.destroyed);
  assert.ok(count * zeros.length < 200_000, `${count} pieces were taken`);
});

test('later errors of a closed stream do not crash the process', async () => {
  const source = new PassThrough();
  source.write(Buffer.alloc(200));
  await assert.rejects(readBody(source, '', undefined, 100), { code: 'platform_changed' });
  source.emit('error', new Error('late'));
});

for (const encoding of ['identity', 'gzip']) {
  test(`a 50 MB ${encoding} body is cut off early and its connection destroyed`, async (t) => {
    let sent = 0;
    const piece = Buffer.alloc(64 * 1024, 'x');
    function* pieces() {
      for (; sent < 50 * 1024 * 1024; sent += piece.length) yield piece;
    }
    const endless: Handler = (_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding });
      const packer = encoding === 'gzip' ? zlib.createGzip({ level: 0 }) : new PassThrough();
      pipeline(Readable.from(pieces()), packer, response, () => {});
    };
    const { server, fetch } = await served(t, endless, { site: { maxBytes: 200_000 } });
    await assert.rejects(fetch(), { code: 'platform_changed', message: /larger than 200000 bytes/ });
    await server.allClosed();
    assert.ok(sent < 20 * 1024 * 1024, `${sent} bytes were sent`);
    assert.equal(server.requests.length, 1);
  });
}

const encoded = (encoding: string, body: Buffer | string, status = 200): Handler => {
  return (_request, response) => response.writeHead(status, { 'content-encoding': encoding }).end(body);
};
const raw = (text: string): Handler => {
  return (request) => request.socket.end(text);
};

for (const [what, handler] of [
  ['cut-off gzip', encoded('gzip', (packed.gzip as Buffer).subarray(0, 20_000))],
  ['corrupt brotli', encoded('br', Buffer.alloc(500, 0xff))],
  ['an unknown encoding', encoded('rot13', 'uryyb')],
  ['another protocol than HTTP', raw('SSH-2.0-OpenSSH_9.6\r\n')],
  ['80 KB of headers', raw(`HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1000)}\r\n`.repeat(80)}\r\n`)],
] as const) {
  test(`${what} is platform_unavailable, requested once`, async (t) => {
    const { server, fetch } = await served(t, handler);
    const message = /^127\.0\.0\.1 could not be read: its answer /;
    await assert.rejects(fetch(), { code: 'platform_unavailable', message });
    assert.equal(server.requests.length, 1);
  });
}

test('an error page is decoded like any other', async (t) => {
  const { fetch } = await served(t, encoded('gzip', zlib.gzipSync('Access denied'), 403));
  const page = await fetch();
  assert.deepEqual([page.text(), page.headers['content-encoding']], ['Access denied', undefined]);
});
