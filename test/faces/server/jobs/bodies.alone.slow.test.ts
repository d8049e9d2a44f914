import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { packageRoot } from '../../../../lib/runtime/package-root.js';
import { fromSource } from '../../../support/from-source.js';
import { type SeededHome, seededHome } from '../../../support/seeded-home.js';

const mib = 1024 * 1024;
const bodyBytes = 15 * mib;
/** What is sent again and again: white space, which is no JSON. */
const piece = Buffer.alloc(64 * 1024, ' ');

interface Memory {
  /** Bytes of objects and buffers after a collection, and bytes of the process. */
  readonly held: number;
  readonly rss: number;
  /** The process's peak memory since the last request. */
  readonly peak: number;
}

/** Starts a server over a data directory in a separate process. */
async function startServer(t: TestContext, { home }: SeededHome) {
  const program = path.join(packageRoot(), 'test/faces/server/jobs/bodies-program.ts');
  const env = { ...process.env, EXTRACT_HOME: home, EXTRACT_PORT: '0', EXTRACT_RATE_LIMIT: '100000' };
  const child: ChildProcess = fork(program, [], { env, execArgv: [...fromSource] });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit').then(([status]) => {
    throw new Error(`The server ended with ${status}.`);
  });
  const heard = async () => (await Promise.race([once(child, 'message'), ended]))[0] as unknown;
  const url = new URL(String(await heard()));
  const memory = async () => {
    child.send('memory');
    return (await heard()) as Memory;
  };
  return { port: Number(url.port), memory };
}

/** Asks for a job with a body of 15 MB, of which all but so many bytes are sent. Resolves with the status of the answer. */
async function sendBody(t: TestContext, port: number, secret: string, sentBytes: number): Promise<number> {
  const socket = net.connect(port, '127.0.0.1').setMaxListeners(0);
  t.after(() => socket.destroy());
  let status = 0;
  let isOver = false;
  const over = new Promise<void>((resolve) => {
    socket.once('data', (data) => {
      status = Number(data.toString('latin1').slice(9, 12));
      isOver = true;
      resolve();
    });
    // An answer that a server gives before it ends the connection comes before its end.
    socket
      .on('error', () => undefined)
      .once('close', () => {
        isOver = true;
        resolve();
      });
  });
  const head = [
    'POST /v1/jobs HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${secret}`,
    'Content-Type: application/json',
    `Content-Length: ${bodyBytes}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  for (let rest = bodyBytes - sentBytes; rest > 0 && !isOver; rest -= piece.length) {
    const isTaken = socket.write(piece.subarray(0, Math.min(rest, piece.length)));
    if (!isTaken) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), over]);
  }
  await over;
  return status;
}

test('bodies of 15 MB move the memory by less than 64 MB, answered or under way', async (t) => {
  const seeded = await seededHome();
  const { port, memory } = await startServer(t, seeded);
  const post = (sentBytes: number) => sendBody(t, port, seeded.secret, sentBytes);
  // What the first bodies take once: code, and room of the heap that is used again.
  for (let n = 0; n < 10; n += 1) assert.equal(await post(0), 400);
  const before = await memory();
  const growth = async () => {
    const { held, peak } = await memory();
    return { held: (held - before.held) / mib, peak: (peak - before.rss) / mib };
  };

  // Their connections stay open.
  for (let n = 0; n < 30; n += 1) assert.equal(await post(0), 400);
  const answered = await growth();
  assert.ok(answered.held < 8, `${answered.held} MB are held for bodies that were answered`);
  assert.ok(answered.peak < 64, `${answered.peak} MB for bodies that come one after the other`);

  // One is under way; the others wait until they are refused. A client that still sends may lose the answer.
  const ended: number[] = [];
  await new Promise<void>((resolve) => {
    for (let n = 0; n < 100; n += 1) {
      void post(100).then((status) => {
        ended.push(status);
        if (ended.length === 99) resolve();
      });
    }
  });
  assert.deepEqual(new Set(ended.filter((status) => status !== 0)), new Set([429]));
  const underWay = await growth();
  assert.ok(underWay.peak < 64, `${underWay.peak} MB for a hundred connections`);
  // The garbage of the start, some 5 MB, was in the first measurement and has been freed by now.
  const body = underWay.held - answered.held;
  assert.ok(body > 10 && body < 24, `${body} MB are held for one body under way`);
});
