import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Database } from 'better-sqlite3';
import { assertSound } from '../../ledger/books.js';
import { FakeClock } from '../../support/fake-clock.js';
import { awaitJob, jobsHarness, linesOf, makeJob, numbered, picky, until } from './harness.js';

for (const which of ['the lines', 'the books'] as const) {
  describe(`a disk that is full while ${which} are written`, () => holdsUp(which));
}

function holdsUp(which: 'the lines' | 'the books'): void {
  /** Leaves SQLite no page more, and makes everything that ends an input need one. */
  function fill(db: Database): { makeRoom(): void } {
    const event = which === 'the books' ? 'UPDATE ON main.usage' : 'INSERT ON main.job_results';
    db.exec(`CREATE TABLE ballast (bytes BLOB) STRICT;
      CREATE TEMP TRIGGER heavier AFTER ${event} BEGIN
        INSERT INTO main.ballast VALUES (randomblob(20000)); END;`);
    const free = Number(db.pragma('freelist_count', { simple: true }));
    for (let page = 0; page < free; page += 1) db.exec('INSERT INTO ballast VALUES (randomblob(4000))');
    db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`);
    return {
      makeRoom() {
        db.pragma('max_page_count = 4294967294');
      },
    };
  }

  test('holds the job up, undoes what was begun, and loses nothing of it', async (t) => {
    const clock = new FakeClock();
    const all = await jobsHarness(t, { clock, ask: picky, start: false });
    const { db } = await all.ledger.database();
    const filled = which === 'the books' ? db : await all.opened.results.driver();
    const customer = await all.customer();
    const before = await all.credits(customer.account);
    const queries = numbered(60).map((query, at) => (at % 3 === 0 ? `bad${query}` : query));
    const id = await makeJob(all, customer, queries);
    const { makeRoom } = fill(filled);
    all.jobs.start();
    await until(() => all.errors.length > 0);
    assert.match(String(all.errors[0]), /disk( of the credit ledger)? is full/);
    for (let time = 0; time < 2; time += 1) {
      const { completed, failed, credits_refunded } = await all.jobs.store.find(customer.account, id);
      assert.deepEqual([completed, failed, credits_refunded], [0, 0, 0]);
      assert.deepEqual(await linesOf(all, customer, id), []);
      assert.equal(await all.credits(customer.account), before - 180);
      assertSound(path.join(all.home, 'ledger.db'));
      // Tried again after a pause, to the same end.
      const troubles = all.errors.length;
      if (time > 0) continue;
      await clock.advance(5000);
      await until(() => all.errors.length > troubles);
    }
    makeRoom();
    const job = await clock.passing(awaitJob(all, customer, id), 60_000);
    assert.deepEqual([job.completed, job.failed, job.credits_refunded], [40, 20, 60]);
    const lineQueries = (await linesOf(all, customer, id)).map(({ input }) => input.query);
    assert.deepEqual(lineQueries, queries);
    assert.equal(await all.credits(customer.account), before - 120);
    assertSound(path.join(all.home, 'ledger.db'));
  });
}
