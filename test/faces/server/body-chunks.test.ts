import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { coalesceBodyChunks } from '../../../src/faces/server/body-chunks.js';

/** Pieces in which the last body arrived. */
let arrived = 0;
const server = http.createServer(
  coalesceBodyChunks(async (request: IncomingMessage, response) => {
    arrived = 0;
    if (request.url === '/flowing') request.on('data', () => void arrived++);
    response.end(await buffer(request));
  }),
);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
after(() => server.close());

/** The body that the server got of one that is sent in these chunks. */
async function echo(path: string, chunks: readonly Buffer[]): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const parts = chunks.flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)}\r\n`),
    chunk,
    Buffer.from('\r\n'),
  ]);
  socket.write(Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]));
  const answer = await buffer(socket);
  const head = answer.indexOf('\r\n\r\n') + 4;
  assert.match(answer.subarray(0, head).toString(), /^HTTP\/1\.1 200 /);
  return answer.subarray(head);
}

describe('the small pieces of a body', () => {
  test('arrive unchanged, whatever the sizes of the chunks', async () => {
    const sizes = fc.array(
      fc.tuple(fc.constantFrom(1, 2, 15, 17, 100, 4095, 4096, 70_000), fc.nat({ max: 400 })),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(sizes, fc.constantFrom('/flowing', '/read'), async (runs, path) => {
        const chunks = runs
          .flatMap(([size, times]) => Array<number>(size > 4000 ? Math.ceil(times / 40) : times).fill(size))
          .map((size, at) => Buffer.alloc(size, at % 251));
        const body = Buffer.concat(chunks);
        const received = await echo(path, chunks);
        assert.ok(received.equals(body), `${received.length} bytes came of ${body.length}`);
      }),
      { numRuns: 30 },
    );
  });
});
