import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { EndedRun } from '../../../src/service/jobs/schedules/alerts/alert-store.js';
import { RunNotices } from '../../../src/service/jobs/schedules/alerts/run-notices.js';
import type { Notice } from '../../../src/service/notify/notice.js';
import { FakeClock } from '../../support/fake-clock.js';

const run = (job: string): EndedRun => ({
  ...{ schedule: `of ${job}`, number: 1, job, account: 'ada', endpoint: 'maps/harbour', name: null },
  ...{ lineOptions: {}, targets: [{ kind: 'mail', address: 'ada@example.com' }], at: 0 },
});

test('a run whose lines cannot be read keeps no other one from being told, and is tried again', async () => {
  const clock = new FakeClock();
  const notified = new Map<string, Notice | null>();
  const errors: string[] = [];
  let isBroken = true;
  let count = 0;
  const notices = new RunNotices({
    clock,
    store: {
      listEnded: async (leftOut = new Set()) =>
        ['damaged', 'gone', 'whole']
          .filter((job) => !notified.has(job) && !leftOut.has(`of ${job} 1`))
          .map(run),
      begin: async ({ job }, notice) => void notified.set(job, notice),
    },
    lines: {
      isKept: async (job: string) => job !== 'gone',
      open: async ({ id }: { readonly id: string }) => ({
        edition: '',
        async *read() {
          if (id === 'damaged' && isBroken) throw new Error('The checksum is another one.');
          yield Buffer.from('{"input":{"id":"a"},"data":{"name":"Pier"}}\n');
        },
      }),
    } as never,
    jobPage: (job) => `/jobs/${job}`,
    onMade: () => {
      count += 1;
    },
    onError: (schedule) => errors.push(schedule),
  });
  notices.wake();
  while (count === 0) await setImmediate();
  assert.deepEqual([...notified.keys()], ['gone', 'whole']);
  assert.deepEqual([notified.get('gone'), notified.get('whole')?.total], [null, 1]);
  assert.equal(errors[0], 'of damaged');
  isBroken = false;
  await clock.advance(15_000);
  while (!notified.has('damaged')) await setImmediate();
  await notices.stop();
});

test('runs that cannot be read are left out of the next looks, so that those behind them have their turn', async () => {
  const clock = new FakeClock();
  const notified: string[] = [];
  const jobs = [...Array.from({ length: 40 }, (_, at) => `damaged${at}`), 'whole'];
  let looks = 0;
  const notices = new RunNotices({
    clock,
    store: {
      listEnded: async (leftOut = new Set()) => {
        looks += 1;
        return jobs
          .filter((job) => !notified.includes(job) && !leftOut.has(`of ${job} 1`))
          .slice(0, 16)
          .map(run);
      },
      begin: async ({ job }) => void notified.push(job),
    },
    lines: {
      isKept: async () => true,
      open: async ({ id }: { readonly id: string }) => ({
        edition: '',
        async *read() {
          if (id !== 'whole') throw new Error('The checksum is another one.');
          yield Buffer.from('{"input":{"id":"a"},"data":{"name":"Pier"}}\n');
        },
      }),
    } as never,
    jobPage: (job) => `/jobs/${job}`,
    onMade: () => undefined,
    onError: () => undefined,
  });
  notices.wake();
  for (let turn = 0; turn < 10 && notified.length === 0; turn += 1) await clock.advance(15_000);
  assert.deepEqual(notified, ['whole']);
  const before = looks;
  await clock.advance(10 * 60_000);
  assert.ok(looks > before);
  await notices.stop();
});
