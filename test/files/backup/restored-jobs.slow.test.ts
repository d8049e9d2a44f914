import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '../../../lib/runtime/clock.js';
import { backup } from '../../../src/files/backup/backup.js';
import { restore } from '../../../src/files/backup/restore.js';
import { assertSound, pendingIds } from '../../ledger/books.js';
import { awaitJob, type Customer, jobsHarness, makeJob, newHome, picky } from '../../service/jobs/harness.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Numbers below 1 that the seed decides. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** Answers in turns of the loop. Up to `open`, only `count` calls are answered; `reached` resolves with the first that waits. */
function gatedBehind(count: number) {
  let calls = 0;
  let reach = () => {};
  let open = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const ask: typeof picky = async (...call) => {
    calls += 1;
    if (calls > count) {
      reach();
      await opened;
    }
    await setImmediate();
    return picky(...call);
  };
  return { ask, reached, open: () => open() };
}

test('jobs that a backup met at work end in the restored directory, each input once, and at its price', async (t) => {
  const folder = temporaryFolder();
  let unfinished = 0;
  for (let seed = 1; seed <= 6; seed += 1) {
    const random = randomOf(seed);
    const gate = gatedBehind(Math.floor(random() * 6));
    const all = await jobsHarness(t, { ask: gate.ask });
    const customer: Customer = await all.customer();
    const granted = await all.credits(customer.account);
    const expected = new Map<string, readonly string[]>();
    const make = async () => {
      const queries = Array.from({ length: 1 + Math.floor(random() * 60) }, (_, index) =>
        random() < 0.3 ? `bad ${index}` : `good ${index}`,
      );
      expected.set(await makeJob(all, customer, queries), queries);
    };
    for (let jobs = 0; jobs < 6; jobs += 1) await make();
    await gate.reached;
    const file = path.join(folder, `${seed}.backup`);
    // Jobs keep running during every second backup.
    if (seed % 2 === 0) gate.open();
    await Promise.all([backup(all.home, file, systemClock), make(), make()]);
    gate.open();
    await all.close();
    const home = path.join(newHome(t), 'restored');
    await restore(file, home, { check: false });
    const again = await jobsHarness(t, { home, ask: picky, start: false });
    unfinished += (await again.opened.jobStores.jobs.summarizeUnfinished(1)).inputs;
    again.jobs.start();
    const { jobs } = await again.jobs.store.list(customer.account, 100, undefined);
    assert.ok(jobs.length >= 6);
    let charged = 0;
    for (const { id } of jobs) {
      await awaitJob(again, customer, id);
      const queries = expected.get(id) ?? [];
      const results = await again.jobs.results.open(customer.account, id);
      const chunks: Buffer[] = [];
      for await (const chunk of results.read(0, results.bytes)) chunks.push(chunk);
      const lines = Buffer.concat(chunks).toString().trimEnd().split('\n');
      const parsed = lines.map((line) => JSON.parse(line) as { input: { query: string }; error?: unknown });
      assert.deepEqual(
        parsed.map(({ input }) => input.query),
        queries,
      );
      assert.deepEqual(
        parsed.map(({ error }) => error !== undefined),
        queries.map((query) => query.startsWith('bad')),
      );
      charged += 3 * queries.filter((query) => query.startsWith('good')).length;
    }
    assert.equal(await again.credits(customer.account), granted - charged);
    assert.deepEqual(pendingIds(path.join(home, 'ledger.db')), []);
    assertSound(path.join(home, 'ledger.db'));
    assert.deepEqual(again.errors, []);
    await again.close();
  }
  assert.ok(unfinished > 0, 'no backup met a job at work');
});
