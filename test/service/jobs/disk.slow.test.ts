import assert from 'node:assert/strict';
import { truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import type { Database } from 'better-sqlite3';
import {
  openFile,
  ResultsFiles,
  type ResultsHandle,
} from '../../../src/service/jobs/results/results-files.js';
import { LostLines, ResultsWriter } from '../../../src/service/jobs/results/results-writer.js';
import { assertSound } from '../../ledger/books.js';
import { start } from '../../support/child-process.js';
import { FakeClock } from '../../support/fake-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { awaitJob, jobsHarness, linesOf, makeJob, newHome, numbered, picky, until } from './harness.js';
import { assertJobsSound, jobProgram, newCustomer } from './processes.js';

/** A disk with room for so many bytes more. The write that is too much is torn, as on a real one. */
function disk(home: string) {
  const room = { bytes: Number.POSITIVE_INFINITY, refused: 0 };
  const files = new ResultsFiles(home, async (file): Promise<ResultsHandle> => {
    const handle = await openFile(file);
    return {
      read: handle.read.bind(handle),
      write: (async (bytes: Buffer, from: number, length: number, at: number) => {
        const fits = Math.min(length, room.bytes);
        room.bytes -= fits;
        if (fits > 0) return handle.write(bytes, from, fits, at);
        room.refused += 1;
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      }) as ResultsHandle['write'],
      datasync: () => handle.datasync(),
      truncate: (size) => handle.truncate(size),
      close: () => handle.close(),
    };
  });
  return { files, room };
}

describe('a disk that is full while results are written', () => {
  for (const bytes of [0, 1, 50, 700, 3000]) {
    test(`after ${bytes} bytes holds the job up and loses nothing of it`, async (t) => {
      const home = newHome(t);
      const clock = new FakeClock();
      const { files, room } = disk(home);
      room.bytes = bytes;
      const all = await jobsHarness(t, { home, clock, files, ask: picky });
      const customer = await all.customer();
      const before = await all.credits(customer.account);
      const queries = numbered(60).map((query, at) => (at % 3 === 0 ? `bad${query}` : query));
      const id = await makeJob(all, customer, queries);
      await until(() => all.errors.length > 0);
      const { completed, failed, credits_refunded } = await all.jobs.store.find(customer.account, id);
      assert.equal((await linesOf(all, customer, id)).length, completed + failed);
      assert.equal(credits_refunded, failed * 3);
      assertSound(path.join(home, 'ledger.db'));
      assert.match(String(all.errors[0]), /ENOSPC/);
      // Others are served meanwhile, and a try that fails again changes nothing.
      await clock.advance(5000);
      assert.equal((await linesOf(all, customer, id)).length, completed + failed);
      room.bytes = Number.POSITIVE_INFINITY;
      const job = await clock.passing(awaitJob(all, customer, id), 60_000);
      assert.deepEqual([job.completed, job.failed], [40, 20]);
      assert.deepEqual(
        (await linesOf(all, customer, id)).map(({ input }) => input.query),
        queries,
      );
      assert.equal(await all.credits(customer.account), before - 120);
    });
  }

  test('leaves the job to the next process when it is told to stop', async (t) => {
    const home = newHome(t);
    const { files, room } = disk(home);
    room.bytes = 100;
    const one = await jobsHarness(t, { home, clock: new FakeClock(), files, ask: picky });
    const customer = await one.customer();
    const id = await makeJob(one, customer, numbered(30));
    await until(() => room.refused > 0);
    await one.close();
    const two = await jobsHarness(t, { home, ask: picky });
    assert.equal((await awaitJob(two, customer, id)).completed, 30);
    assert.equal((await linesOf(two, customer, id)).length, 30);
  });
});

describe('a disk that is full while the books are written', () => {
  /** Leaves SQLite no page more, and makes everything that ends an input need one. */
  function fill(db: Database): { makeRoom(): void } {
    db.exec(`CREATE TABLE ballast (bytes BLOB) STRICT;
      CREATE TEMP TRIGGER heavier AFTER UPDATE ON main.usage BEGIN
        INSERT INTO main.ballast VALUES (randomblob(5000)); END;`);
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
    const customer = await all.customer();
    const before = await all.credits(customer.account);
    const queries = numbered(60).map((query, at) => (at % 3 === 0 ? `bad${query}` : query));
    const id = await makeJob(all, customer, queries);
    const { makeRoom } = fill(db);
    all.jobs.start();
    await until(() => all.errors.length > 0);
    assert.match(String(all.errors[0]), /disk that holds the credit ledger is full/);
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
    assert.deepEqual(
      (await linesOf(all, customer, id)).map(({ input }) => input.query),
      queries,
    );
    assert.equal(await all.credits(customer.account), before - 120);
    assertSound(path.join(all.home, 'ledger.db'));
  });

  test('as the system has it, leaves the job to a process that has room', async (t) => {
    const home = newHome(t);
    const customer = await newCustomer(home);
    const program = await jobProgram(temporaryFolder());
    let heard = 0;
    // Blocks of 512 or 1024 bytes, as the shell counts. The log of the books is the largest file by far.
    const child = start(
      program,
      ['many', home, '6000'],
      (line) => {
        if (line.startsWith('trouble') && ++heard === 2) child.process.kill('SIGKILL');
      },
      'ulimit -f 10000',
    );
    const lines = await child.output;
    assert.match(lines.at(-1) ?? '', /disk/);
    const id = lines.find((line) => line.startsWith('made'))?.split(' ')[2] ?? '';
    assertJobsSound(home);
    const all = await jobsHarness(t, { home, ask: picky });
    const begun = await all.jobs.store.find(customer.account, id);
    assert.ok(begun.completed > 0 && begun.completed + begun.failed < 6000, JSON.stringify(begun));
    const job = await awaitJob(all, customer, id);
    assert.deepEqual([job.completed, job.failed], [4000, 2000]);
    assert.equal((await linesOf(all, customer, id)).length, 6000);
    assert.equal(await all.credits(customer.account), 100_500 - 12_000);
    assertJobsSound(home);
  });
});

describe('the files of a job', () => {
  const line = (index: number) =>
    Buffer.from(`{"input":{"at":${index}},"data":"${'x'.repeat(index % 50)}"}\n`);

  const inputOf = async (index: number) => `{"at":${index}}`;

  async function writer(t: TestContext, total: number) {
    const files = new ResultsFiles(newHome(t));
    const nothing = { lines: 0, bytes: 0, lateBytes: 0 };
    return { files, made: await ResultsWriter.open(files, 'job_1', total, nothing, inputOf) };
  }

  test('hold every line in order, whatever order they came in and however often it was begun anew', async (t) => {
    const total = 200;
    const { files, made } = await writer(t, total);
    let current = made;
    // An order that is the same each time, and far from the inputs' own.
    const order = Array.from({ length: total }, (_, at) => (at * 77) % total);
    for (let at = 0; at < total; at += 8) {
      const group = new Map(order.slice(at, at + 8).map((index) => [index, line(index)] as const));
      // A try that is never adopted: its bytes are written over.
      await current.append(new Map([...group].map(([index]) => [index, Buffer.from('{"torn')])));
      if (at % 3 === 0) current = await ResultsWriter.open(files, 'job_1', total, current.extent, inputOf);
      await current.append(group);
      await current.applyCommitted();
      for (const index of group.keys()) assert.ok(current.has(index));
    }
    const { lines, bytes, lateBytes } = current.extent;
    assert.deepEqual([lines, lateBytes], [total, 0]);
    const handle = await open(files.lines('job_1'));
    const written = await handle.readFile();
    await handle.close();
    const expected = Buffer.concat(Array.from({ length: total }, (_, index) => line(index)));
    assert.ok(written.equals(expected));
    assert.equal(bytes, expected.length);
  });

  test('that are shorter than what is vouched for count as far as they go, and are not filled up', async (t) => {
    const { files, made } = await writer(t, 10);
    await made.append(new Map([0, 1, 2].map((index) => [index, line(index)])));
    await made.applyCommitted();
    truncateSync(files.lines('job_1'), made.extent.bytes - 1);
    const taken = await ResultsWriter.open(files, 'job_1', 10, made.extent, inputOf);
    assert.deepEqual(taken.extent, { lines: 2, bytes: line(0).length + line(1).length, lateBytes: 0 });
    await assert.rejects(made.append(new Map([[3, line(3)]])), LostLines);
  });
});
