import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { bodyOf, chunkBytes, chunkMemory } from '../../../src/service/jobs/results/chunk-memory.js';

const count = 60;

/** A server whose answers are chunks, each filled with its number. It counts the memories that they were in. */
async function startServer() {
  const memories = new Set<ArrayBufferLike>();
  const chunks = async function* () {
    for (let n = 0; n < count; n += 1) {
      await setImmediate();
      const chunk = chunkMemory(chunkBytes);
      memories.add(chunk.buffer);
      yield chunk.fill(n);
    }
  };
  const server = createServer((_request, response) => {
    response.setHeader('content-length', count * chunkBytes);
    bodyOf(chunks(), response).pipe(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { memories, port, close: () => server.close() };
}

/** The body of an answer. `turns` of the event loop go by before the client takes its next bytes. */
async function download(port: number, turns: number): Promise<Buffer> {
  const socket = net.connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
  const parts: Buffer[] = [];
  for await (const part of socket) {
    parts.push(part);
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
  }
  const whole = Buffer.concat(parts);
  return whole.subarray(whole.indexOf('\r\n\r\n') + 4);
}

const wanted = Buffer.concat(Array.from({ length: count }, (_, n) => Buffer.alloc(chunkBytes, n)));

for (const [client, turns] of [
  ['fast', 0],
  ['slow', 3],
] as const) {
  test(`a ${client} client gets every byte, of chunks whose memory is used again`, async () => {
    const { memories, port, close } = await startServer();
    for (const body of await Promise.all([download(port, turns), download(port, turns)])) {
      assert.ok(body.equals(wanted));
    }
    close();
    assert.ok(memories.size <= 12, `${memories.size} memories for ${2 * count} chunks`);
  });
}

test('a client that leaves gives back nothing that others have', async () => {
  const { port, close } = await startServer();
  const leaving = Array.from({ length: 4 }, async () => {
    const socket = net.connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
  });
  const [body] = await Promise.all([download(port, 1), ...leaving]);
  assert.ok(body.equals(wanted));
  close();
});
