import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeTime } from 'ulid';
import { accountTurns } from '../../../lib/runtime/account-turns.js';
import { assertFaults, refusal } from '../../ledger/ledger-port.js';
import { bothStores, directoryStores, failed, line, newJob, ok } from './both-stores.js';

const hour = 3_600_000;
const day = 24 * hour;

for (const { where, skip, open } of bothStores) {
  describe(`jobs in ${where}`, { skip }, () => {
    /** Opens stores with an account and its job of so many inputs. */
    async function withJob(count: number, resultDays?: number) {
      const under = await open(resultDays);
      const owner = await under.account(100);
      return { ...under, owner, id: await under.make(owner, count) };
    }

    test('a job reserves its price, ends input by input, and gives back what failed', async () => {
      const { store, slices, end, pending, account, credits } = await open();
      const owner = await account(100);
      const { id, answer } = await store.create(
        newJob(owner, 4),
        ({ total }, balance) => `${total} ${balance}`,
      );
      assert.equal(answer, '4 88');
      assert.deepEqual(await pending(id), [0, 1, 2, 3]);
      assert.equal(await store.readInput(id, 2), '{"n":2}');
      await slices.begin(id);
      assert.equal((await store.find(owner, id)).status, 'running');
      const lines = [ok, failed].map((ending, index) => ({ index, ending, line: Buffer.from(line(index)) }));
      assert.equal(await slices.commit(id, lines), 'kept');
      assert.deepEqual(await pending(id), [2, 3]);
      assert.deepEqual(await store.listFailedInputs(owner, id), [1]);
      const bytes = 2 * Buffer.byteLength(line(0));
      assert.deepEqual(await store.readProgress(owner, id), { lines: 2, bytes, total: 4 });
      assert.equal(await credits(owner), 91);
      assert.equal(await end(id, [2, 3]), 'finished');
      const job = await store.find(owner, id);
      assert.deepEqual([job.status, job.completed, job.failed, job.credits_refunded], ['done', 3, 1, 3]);
      await assert.rejects(store.readInput(id, 2), refusal('internal_error'));
      assert.equal((await store.summarizeUnfinished(1)).total, 0);
    });

    test('refuses a job that the balance does not cover', async () => {
      const { store, make, account, credits } = await open();
      const owner = await account(5);
      await assert.rejects(make(owner, 2), refusal('insufficient_credits'));
      assert.deepEqual([await credits(owner), (await store.list(owner, 10, undefined)).jobs], [5, []]);
    });

    test('a repeated request is the same job for a day, and another request under its key is refused', async () => {
      const { store, account, clock } = await open();
      const owner = await account(100);
      const idempotency = { key: 'one', digest: 'a' };
      assert.equal(await store.replay(owner, idempotency), null);
      const create = (answer: string) => store.create(newJob(owner, 1, { idempotency }), () => answer);
      const created = await create('first');
      assert.deepEqual(await create('second'), { ...created, replayed: true });
      assert.deepEqual(await store.replay(owner, idempotency), { id: created.id, answer: 'first' });
      await assert.rejects(store.replay(owner, { key: 'one', digest: 'b' }), refusal('idempotency_mismatch'));
      await clock.advance(day);
      assert.equal(await store.replay(owner, idempotency), null);
    });

    test('jobs are listed in pages, newest first, and to their account alone', async () => {
      const { store, account, make } = await open();
      const [owner, other] = [await account(100), await account(100)];
      const ids: string[] = [];
      for (let at = 0; at < 3; at += 1) ids.unshift(await make(owner, 1));
      const first = await store.list(owner, 2, undefined);
      const second = await store.list(owner, 2, first.next ?? '');
      const listedIds = [...first.jobs, ...second.jobs].map(({ id }) => id);
      assert.deepEqual([listedIds, second.next], [ids, null]);
      assert.deepEqual((await store.list(other, 2, undefined)).jobs, []);
      for (const id of [ids[0] ?? '', 'job_none']) {
        for (const call of [store.find, store.readProgress, store.listFailedInputs, store.cancel]) {
          await assert.rejects(call.bind(store)(other, id), refusal('job_not_found'));
        }
      }
    });

    test('a cancelled job refunds its pending inputs once and accepts no further result', async () => {
      const { store, end, finishCancelled, credits, id, owner } = await withJob(3);
      await end(id, [0]);
      assert.equal(await store.countActive(owner), 1);
      const job = await store.cancel(owner, id);
      assert.deepEqual([job.status, job.completed, job.failed], ['cancelled', 1, 2]);
      await assert.rejects(store.cancel(owner, id), refusal('job_already_finished'));
      assert.deepEqual(await store.find(owner, id), job);
      assert.deepEqual([await credits(owner), await store.countActive(owner)], [97, 0]);
      assert.equal(await end(id, [1]), 'cancelled');
      const { total, oldest } = await store.summarizeUnfinished(10);
      assert.deepEqual([total, oldest.map((one) => [one.job.id, one.account])], [1, [[id, owner]]]);
      await finishCancelled(id);
      assert.deepEqual(await store.summarizeUnfinished(10), { total: 0, inputs: 0, oldest: [] });
    });

    for (const [title, days, resultDays] of [
      ['seven days after the end, if no other time is set', 7, undefined],
      ['after as many days as are set, and jobs say when', 2, 2],
    ] as const) {
      test(`results expire ${title}`, async () => {
        const { store, end, sweep, clock, owner, id } = await withJob(1, resultDays);
        await end(id, [0]);
        const expires = new Date(clock.now() + days * day).toISOString();
        assert.equal((await store.find(owner, id)).results_expire_at, expires);
        assert.equal((await store.list(owner, 9, undefined)).jobs[0]?.results_expire_at, expires);
        await clock.advance(days * day - 1);
        await sweep();
        await store.readProgress(owner, id);
        await clock.advance(1);
        await assert.rejects(store.readProgress(owner, id), refusal('results_expired'));
        await sweep();
        await assert.rejects(store.readProgress(owner, id), refusal('results_expired'));
        await assert.rejects(store.cancel(owner, id), refusal('job_already_finished'));
      });
    }

    test('stores which fields the answers of a job lacked, for its account only', async () => {
      const { store, account, id, owner } = await withJob(1);
      assert.deepEqual(await store.readComparison(owner, id), []);
      const sentences = ['phone was filled in 12% of 5,000 answers; usually 61%.', 'website was, too.'];
      await store.saveComparison(id, sentences);
      assert.deepEqual(await store.readComparison(owner, id), sentences);
      await assert.rejects(store.readComparison(await account(1), id), refusal('job_not_found'));
      await store.saveComparison('job_gone', sentences);
    });

    test("each method rejects with the port's faults when the driver fails", async () => {
      const { store, slices, make, end, pending, breakDriver, id, owner } = await withJob(1);
      await breakDriver();
      await assertFaults([
        ...[make(owner, 1), store.replay(owner, { key: 'one', digest: 'a' }), store.find(owner, id)],
        ...[store.readProgress(owner, id), store.list(owner, 1, undefined), store.countActive(owner)],
        ...[store.summarizeUnfinished(1), store.listFailedInputs(owner, id), store.readInput(id, 0)],
        ...[store.cancel(owner, id), store.saveComparison(id, ['a']), store.readComparison(owner, id)],
        ...[slices.begin(id), pending(id), end(id, [0])],
      ]);
    });
  });
}

describe('the jobs of a runner in SQLite', () => {
  const inputs = Array.from({ length: 20 }, (_, at) => JSON.stringify({ q: String(at).padEnd(60_000) }));
  const killed = () => Promise.reject(new Error('It is killed.'));

  /** Opens stores with an account that makes jobs of large inputs and ends them. */
  async function opened() {
    const under = await directoryStores();
    const { store, clock, make, end } = under;
    const owner = await under.account(1000);
    return {
      ...{ ...under, owner },
      makeLarge: () => make(owner, 0, { inputs }),
      async makeSchedule() {
        const id = await make(owner, 0, { inputs, schedule: { every: '6h' } });
        return { id, schedule: (await store.find(owner, id)).schedule ?? '' };
      },
      endLarge: (id: string) => end(id, [...inputs.keys()]),
      /** Sweeps two hours later. IDs of other tests of this process may be later than this test's clock. */
      async sweepAfter(id: string) {
        clock.set(decodeTime(id.slice(4)) + 2 * hour);
        await store.forgetStagedInputs();
      },
    };
  }

  test('large inputs are deleted in pieces after the last line, and swept after a kill', async (t) => {
    const { store, makeLarge, endLarge, sweepAfter } = await opened();
    const first = await makeLarge();
    const turns = t.mock.method(accountTurns, 'next');
    await endLarge(first);
    assert.ok(turns.mock.callCount() >= 7, `${turns.mock.callCount()} pieces`);
    await assert.rejects(store.readInput(first, 0));
    const second = await makeLarge();
    turns.mock.mockImplementation(killed);
    assert.equal(await endLarge(second), 'finished');
    turns.mock.restore();
    assert.equal(await store.readInput(second, 0), inputs[0]);
    await sweepAfter(second);
    await assert.rejects(store.readInput(second, 0));
  });

  test('a kill while a schedule is made leaves nothing that a sweep two hours later does not take', async (t) => {
    const { store, owner, make, makeSchedule, credits, staged, sweepAfter } = await opened();
    const turns = t.mock.method(accountTurns, 'next', () =>
      turns.mock.callCount() < 4 ? Promise.resolve() : killed(),
    );
    await assert.rejects(makeSchedule());
    turns.mock.restore();
    assert.deepEqual([(await store.list(owner, 9, undefined)).jobs, await credits(owner)], [[], 1000]);
    const before = await staged();
    assert.ok(before > 0);
    // Its process may still be running.
    await store.forgetStagedInputs();
    assert.equal(await staged(), before);
    await sweepAfter(await make(owner, 1));
    assert.equal(await staged(), 0);
  });

  test('a sweep after a leap of the date leaves no job without its inputs', async (t) => {
    const { store, owner, make, makeLarge, clock } = await opened();
    const creating = Promise.withResolvers<void>();
    let date = decodeTime((await make(owner, 1)).slice(4));
    let [pieces, sweep] = [0, Promise.resolve()];
    let waits = false;
    t.mock.method(accountTurns, 'next', async (whose: string) => {
      if (whose === '') return waits ? creating.promise : undefined;
      pieces += 1;
      if (pieces !== 2) return;
      date += day;
      clock.set(date);
      sweep = store.forgetStagedInputs();
      if (!waits) await sweep;
    });
    await assert.rejects(makeLarge(), { code: 'internal_error' });
    [waits, pieces] = [true, 0];
    const id = await makeLarge();
    creating.resolve();
    await sweep;
    assert.equal(await store.readInput(id, 0), inputs[0]);
  });

  test('large inputs of a schedule are deleted in pieces when it and its last job have ended', async (t) => {
    const { store, owner, schedules, makeSchedule, endLarge, sweepAfter } = await opened();
    const turns = t.mock.method(accountTurns, 'next');
    for (const last of ['the job', 'the schedule']) {
      const { id, schedule } = await makeSchedule();
      const steps = [() => endLarge(id), () => schedules.end(owner, schedule)];
      if (last === 'the job') steps.reverse();
      await steps[0]?.();
      assert.equal(await store.readInput(id, 0), inputs[0]);
      const before = turns.mock.callCount();
      await steps[1]?.();
      assert.ok(turns.mock.callCount() - before >= 7, `${turns.mock.callCount() - before} pieces`);
      await assert.rejects(store.readInput(id, 0));
    }
    const { id, schedule } = await makeSchedule();
    await endLarge(id);
    turns.mock.mockImplementation(killed);
    await schedules.end(owner, schedule);
    turns.mock.restore();
    assert.equal(await store.readInput(id, 0), inputs[0]);
    await sweepAfter(id);
    await assert.rejects(store.readInput(id, 0));
  });

  test('lists a job until its last line, and its results from seven days after that until they are forgotten', async () => {
    const { store, owner, make, end, clock } = await opened();
    const id = await make(owner, 2);
    await end(id, [0]);
    assert.deepEqual(
      (await store.listUnfinished()).map((job) => job.id),
      [id],
    );
    await end(id, [1]);
    assert.deepEqual(await store.listUnfinished(), []);
    await clock.advance(7 * day - 1);
    assert.deepEqual(await store.listExpired(), []);
    await clock.advance(1);
    assert.deepEqual(await store.listExpired(), [id]);
    await store.forget(id);
    assert.deepEqual(await store.listExpired(), []);
  });

  test("each method rejects with the port's faults when the driver fails", async () => {
    const { store, owner, make, breakDriver } = await opened();
    const id = await make(owner, 1);
    await breakDriver();
    const calls = [store.listUnfinished(), store.listExpired(), store.forgetAnswers(), store.forgetLines()];
    await assertFaults([...calls, store.forget(id)]);
  });
});
