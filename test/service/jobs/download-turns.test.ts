import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inTurns } from '../../../src/service/jobs/results/positioned.js';

test('two hundred downloads move two chunks a turn of the event loop, each as many as the others', async () => {
  let inTurn = 0;
  let most = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; inTurn = 0) {
      await setImmediate();
      most = Math.max(most, inTurn);
    }
  })();
  const moved: number[] = Array(200).fill(0);
  let widest = 0;
  const download = async (at: number) => {
    const chunks = async function* () {
      for (let n = 0; n < 3; n += 1) {
        inTurn += 1;
        yield Buffer.from([at, n]);
      }
    };
    const bytes: number[] = [];
    for await (const chunk of inTurns(`acct_${at}`, chunks())) {
      bytes.push(chunk[1] as number);
      moved[at] = bytes.length;
      widest = Math.max(widest, Math.max(...moved) - Math.min(...moved));
    }
    assert.deepEqual(bytes, [0, 1, 2]);
  };
  await Promise.all(moved.map((_, at) => download(at)));
  isOver = true;
  await counting;
  // The turn may be looked at between its two.
  assert.ok(most <= 4, `${most} chunks a turn`);
  assert.ok(widest <= 1, `${widest} chunks ahead of the others`);
});

test('a download that is given up lets go of what it reads', async () => {
  let isClosed = false;
  const chunks = async function* () {
    try {
      for (;;) yield Buffer.alloc(1);
    } finally {
      isClosed = true;
    }
  };
  for await (const _ of inTurns('acct_1', chunks())) break;
  assert.ok(isClosed);
});

test('the downloads of one account keep no other waiting', async () => {
  const chunks = async function* (count: number) {
    for (let n = 0; n < count; n += 1) yield Buffer.alloc(1);
  };
  let moved = 0;
  const many = Array.from({ length: 200 }, async () => {
    for await (const _ of inTurns('acct_many', chunks(3))) moved += 1;
  });
  await setImmediate();
  for await (const _ of inTurns('acct_few', chunks(3)));
  assert.ok(moved < 20, `${moved} chunks of the other account went first`);
  await Promise.all(many);
});
