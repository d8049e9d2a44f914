import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { packageRoot } from '../../../../lib/runtime/package-root.js';
import { appOf, jobsHarness } from '../../../service/jobs/harness.js';

const mib = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of memory that are held: what was received and let go of is garbage, whenever it is collected. */
function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('a hundred connections of 15 MB of one key move the memory by less than 64 MB', async (t) => {
  const all = await jobsHarness(t, { start: false });
  const customer = await all.customer();
  const other = await all.customer();
  const app = appOf(all);
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const post = (secret: string, body: string) =>
    fetch(`http://127.0.0.1:${port}/v1/jobs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body,
    });
  // What the road of one body takes once: code, and room that is used again.
  assert.equal((await post(customer.secret, ' '.repeat(15.5 * mib))).status, 400);
  const before = heldBytes();
  const program = path.join(packageRoot(), 'test/faces/server/jobs/bodies-program.ts');
  const given = [String(port), customer.secret, '100', String(15.5 * mib)];
  const child = fork(program, given, { execArgv: ['--import', 'tsx'] });
  t.after(() => child.kill('SIGKILL'));
  let moved = 0;
  let sent = 0;
  child.on('message', (bytes) => {
    sent = Number(bytes);
  });
  // Until it has sent what it can.
  for (let last = -1; sent === 0 || sent !== last; ) {
    last = sent;
    moved = Math.max(moved, heldBytes() - before);
    await setTimeout(1000);
  }
  assert.ok(sent > 15 * mib, `${sent} bytes were sent`);
  assert.ok(moved < 64 * mib, `${Math.round(moved / mib)} MB`);
  const small = JSON.stringify({ endpoint: 'maps/harbours', inputs: [{ query: 'a' }] });
  const answer = await post(other.secret, small);
  assert.equal(answer.status, 202, await answer.text());
});
