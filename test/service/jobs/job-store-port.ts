import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { decodeTime } from 'ulid';
import type { Ledger } from '../../../lib/ledger/ledger.js';
import { accountTurns } from '../../../lib/runtime/account-turns.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import type { EndedInput, NewJob } from '../../../src/service/jobs/job.js';
import type { ScheduleStore } from '../../../src/service/jobs/schedules/schedule-store.js';
import type { SqliteJobs } from '../../../src/service/jobs/sqlite/sqlite-jobs.js';
import type { StoredJobs } from '../../../src/service/jobs/stored-jobs.js';
import { assertFaults, refusal } from '../../ledger/ledger-port.js';
import type { FakeClock } from '../../support/fake-clock.js';

/** What works on the jobs of a store, so far as every store has it. */
export interface JobWork {
  /** Indexes of the inputs that have not ended, in order. */
  pending(id: string): Promise<readonly number[]>;
  begin(id: string): Promise<void>;
  /** Ends inputs, each with a line of ten bytes. False for a cancelled job. */
  end(id: string, ended: readonly EndedInput[]): Promise<boolean>;
  /** Writes the lines of a cancelled job. */
  finishCancelled(id: string): Promise<void>;
  /** Deletes the results that are old enough. */
  sweep(): Promise<void>;
}

/** Accounts of a test's own. */
export interface FundedAccounts {
  /** Makes an account with so many credits. */
  account(credits: number): Promise<string>;
  credits(account: string): Promise<number>;
}

/** Accounts that a ledger holds, each with a pack. */
export function fundedAccounts(ledger: Pick<Ledger, 'grant' | 'balance'>, clock: Clock): FundedAccounts {
  return {
    async account(credits) {
      const account = `acct_${randomUUID()}`;
      const at = new Date(clock.now()).toISOString();
      await ledger.grant({ id: `pack_${account}`, account, credits, kind: 'pack', at });
      return account;
    },
    credits: async (account) => (await ledger.balance(account)).credits,
  };
}

export interface JobStoreUnderTest extends FundedAccounts {
  readonly store: StoredJobs;
  readonly work: JobWork;
  readonly clock: FakeClock;
  /** Makes the store fail below the port. */
  breakDriver(): void | Promise<void>;
}

const day = 24 * 3_600_000;
const ok = { status: 'ok', cached: false, credits: 3 } as const;
const failed = { status: 'failed', code: 'place_not_found' } as const;

const newJob = (account: string, count: number, more: Partial<NewJob> = {}): NewJob => ({
  ...{ account, key: undefined, endpoint: 'maps/place', credits: 3 },
  ...{ inputs: Array.from({ length: count }, (_, at) => `{"q":${at}}`), webhookUrl: undefined },
  idempotency: undefined,
  ...more,
});

/** What every store of jobs promises. */
export function jobStoreSuite(open: (resultDays?: number) => Promise<JobStoreUnderTest>): void {
  /** Opens stores with an account and its job of so many inputs. */
  async function withJob(count: number, resultDays?: number) {
    const under = await open(resultDays);
    const owner = await under.account(100);
    const { id } = await under.store.create(newJob(owner, count), () => '');
    return { ...under, owner, id };
  }

  test('a job reserves its price, ends input by input, and gives back what failed', async () => {
    const { store, work, account, credits } = await open();
    const owner = await account(100);
    const { id, answer } = await store.create(
      newJob(owner, 4),
      ({ total }, balance) => `${total} ${balance}`,
    );
    assert.equal(answer, '4 88');
    assert.deepEqual(await work.pending(id), [0, 1, 2, 3]);
    assert.equal(await store.readInput(id, 2), '{"q":2}');
    await work.begin(id);
    assert.equal((await store.find(owner, id)).status, 'running');
    const first = [
      { index: 0, ending: ok },
      { index: 1, ending: failed },
    ];
    assert.equal(await work.end(id, first), true);
    assert.deepEqual(await work.pending(id), [2, 3]);
    assert.deepEqual(await store.listFailedInputs(owner, id), [1]);
    assert.deepEqual(await store.readProgress(owner, id), { lines: 2, bytes: 20, total: 4 });
    assert.equal(await credits(owner), 91);
    const rest = [2, 3].map((index) => ({ index, ending: ok }));
    assert.equal(await work.end(id, rest), true);
    const job = await store.find(owner, id);
    assert.deepEqual([job.status, job.completed, job.failed, job.credits_refunded], ['done', 3, 1, 3]);
    await assert.rejects(store.readInput(id, 2), refusal('internal_error'));
    assert.equal((await store.summarizeUnfinished(1)).total, 0);
  });

  test('refuses a job that the balance does not cover', async () => {
    const { store, account, credits } = await open();
    const owner = await account(5);
    const make = store.create(newJob(owner, 2), () => '');
    await assert.rejects(make, refusal('insufficient_credits'));
    assert.equal(await credits(owner), 5);
    assert.deepEqual((await store.list(owner, 10, undefined)).jobs, []);
  });

  test('a repeated request is the same job for a day, and another request under its key is refused', async () => {
    const { store, account, clock } = await open();
    const owner = await account(100);
    const idempotency = { key: 'one', digest: 'a' };
    assert.equal(await store.replay(owner, idempotency), null);
    const created = await store.create(newJob(owner, 1, { idempotency }), () => 'first');
    const again = await store.create(newJob(owner, 1, { idempotency }), () => 'second');
    assert.deepEqual(again, { ...created, replayed: true });
    assert.deepEqual(await store.replay(owner, idempotency), { id: created.id, answer: 'first' });
    await assert.rejects(store.replay(owner, { key: 'one', digest: 'b' }), refusal('idempotency_mismatch'));
    await clock.advance(day);
    assert.equal(await store.replay(owner, idempotency), null);
  });

  test('jobs are listed in pages, newest first, and to their account alone', async () => {
    const { store, account } = await open();
    const [owner, other] = [await account(100), await account(100)];
    const ids: string[] = [];
    for (let at = 0; at < 3; at += 1) ids.unshift((await store.create(newJob(owner, 1), () => '')).id);
    const first = await store.list(owner, 2, undefined);
    const second = await store.list(owner, 2, first.next ?? '');
    const listedIds = [...first.jobs, ...second.jobs].map(({ id }) => id);
    assert.deepEqual(listedIds, ids);
    assert.equal(second.next, null);
    assert.deepEqual((await store.list(other, 2, undefined)).jobs, []);
    for (const id of [ids[0] ?? '', 'job_none']) {
      const calls = [
        () => store.find(other, id),
        () => store.readProgress(other, id),
        () => store.listFailedInputs(other, id),
      ];
      for (const call of calls) await assert.rejects(call, refusal('job_not_found'));
      await assert.rejects(store.cancel(other, id), refusal('job_not_found'));
    }
  });

  test('a cancelled job refunds its pending inputs once and accepts no further result', async () => {
    const { store, work, credits, id, owner } = await withJob(3);
    await work.end(id, [{ index: 0, ending: ok }]);
    assert.equal(await store.countActive(owner), 1);
    const job = await store.cancel(owner, id);
    assert.deepEqual([job.status, job.completed, job.failed], ['cancelled', 1, 2]);
    await assert.rejects(store.cancel(owner, id), refusal('job_already_finished'));
    assert.deepEqual(await store.find(owner, id), job);
    assert.equal(await credits(owner), 97);
    assert.equal(await store.countActive(owner), 0);
    assert.equal(await work.end(id, [{ index: 1, ending: ok }]), false);
    const { total, oldest } = await store.summarizeUnfinished(10);
    assert.deepEqual([total, oldest.map((one) => [one.job.id, one.account])], [1, [[id, owner]]]);
    await work.finishCancelled(id);
    assert.deepEqual(await store.summarizeUnfinished(10), { total: 0, inputs: 0, oldest: [] });
  });

  for (const [name, days, resultDays] of [
    ['seven days after the end, if no other time is set', 7, undefined],
    ['after as many days as are set, and jobs say when', 2, 2],
  ] as const) {
    test(`results expire ${name}`, async () => {
      const { store, work, clock, owner, id } = await withJob(1, resultDays);
      await work.end(id, [{ index: 0, ending: ok }]);
      const expires = new Date(clock.now() + days * day).toISOString();
      assert.equal((await store.find(owner, id)).results_expire_at, expires);
      assert.equal((await store.list(owner, 9, undefined)).jobs[0]?.results_expire_at, expires);
      await clock.advance(days * day - 1);
      await work.sweep();
      await store.readProgress(owner, id);
      await clock.advance(1);
      await assert.rejects(store.readProgress(owner, id), refusal('results_expired'));
      await work.sweep();
      await assert.rejects(store.readProgress(owner, id), refusal('results_expired'));
      await assert.rejects(store.cancel(owner, id), refusal('job_already_finished'));
    });
  }

  test('stores which fields the answers of a job lacked, for its account only', async () => {
    const { store, account } = await open();
    const [owner, other] = [await account(100), await account(100)];
    const { id } = await store.create(newJob(owner, 1), () => '');
    assert.deepEqual(await store.readComparison(owner, id), []);
    const sentences = ['phone was filled in 12% of 5,000 answers; usually 61%.', 'website was, too.'];
    await store.saveComparison(id, sentences);
    assert.deepEqual(await store.readComparison(owner, id), sentences);
    await assert.rejects(store.readComparison(other, id), refusal('job_not_found'));
    await store.saveComparison('job_gone', sentences);
  });

  test("each method rejects with the port's faults when the driver fails", async () => {
    const { store, work, breakDriver, id, owner } = await withJob(1);
    await breakDriver();
    const calls = [
      store.create(newJob(owner, 1), () => ''),
      store.replay(owner, { key: 'one', digest: 'a' }),
      store.find(owner, id),
      store.readProgress(owner, id),
      store.list(owner, 1, undefined),
      store.countActive(owner),
      store.summarizeUnfinished(1),
      work.pending(id),
      work.end(id, [{ index: 0, ending: ok }]),
      store.listFailedInputs(owner, id),
      store.readInput(id, 0),
      work.begin(id),
      store.cancel(owner, id),
      store.saveComparison(id, ['a']),
      store.readComparison(owner, id),
    ];
    await assertFaults(calls);
  });
}

export interface RunnerStoreUnderTest extends JobStoreUnderTest {
  readonly schedules: Pick<ScheduleStore, 'end'>;
  readonly store: SqliteJobs;
  /** The number of stored inputs of schedules. */
  staged(): Promise<number>;
}

/** The promises of the store of one runner, whose inputs and lines go in pieces. */
export function runnerStoreSuite(open: () => Promise<RunnerStoreUnderTest>): void {
  const largeInputs = Array.from({ length: 20 }, (_, at) => JSON.stringify({ q: String(at).padEnd(60_000) }));
  const all = largeInputs.map((_, index) => ({ index, ending: ok }));
  const killed = () => Promise.reject(new Error('It is killed.'));

  test('large inputs are deleted in pieces after the last line, and swept after a kill', async (t) => {
    const { store, work, account, clock } = await open();
    const make = async () =>
      store.create({ ...newJob(await account(100), 0), inputs: largeInputs }, () => '');
    const { id: first } = await make();
    const turns = t.mock.method(accountTurns, 'next');
    await work.end(first, all);
    assert.ok(turns.mock.callCount() >= 7, `${turns.mock.callCount()} pieces`);
    await assert.rejects(store.readInput(first, 0));
    const { id: second } = await make();
    turns.mock.mockImplementation(killed);
    assert.equal(await work.end(second, all), true);
    turns.mock.restore();
    assert.equal(await store.readInput(second, 0), largeInputs[0]);
    // IDs of other tests of this process may be later than this test's clock.
    clock.set(decodeTime(second.slice(4)) + 2 * 3_600_000);
    await store.forgetStagedInputs();
    await assert.rejects(store.readInput(second, 0));
  });

  test('a kill while a schedule is made leaves nothing that a sweep two hours later does not take', async (t) => {
    const { store, account, credits, clock, staged } = await open();
    const owner = await account(100);
    const order = { ...newJob(owner, 0), inputs: largeInputs, schedule: { every: '6h' } };
    const turns = t.mock.method(accountTurns, 'next', () =>
      turns.mock.callCount() < 4 ? Promise.resolve() : killed(),
    );
    await assert.rejects(store.create(order, () => ''));
    turns.mock.restore();
    assert.deepEqual((await store.list(owner, 9, undefined)).jobs, []);
    assert.equal(await credits(owner), 100);
    const before = await staged();
    assert.ok(before > 0);
    // Its process may still be running.
    await store.forgetStagedInputs();
    assert.equal(await staged(), before);
    // IDs of other tests of this process may be later than this test's clock.
    const later = await store.create(newJob(owner, 1), () => '');
    clock.set(decodeTime(later.id.slice(4)) + 2 * 3_600_000);
    await store.forgetStagedInputs();
    assert.equal(await staged(), 0);
  });

  test('a sweep after a leap of the date leaves no job without its inputs', async (t) => {
    const { store, account, clock } = await open();
    const owner = await account(100);
    let finish = () => {};
    const creation = new Promise<void>((resolve) => {
      finish = resolve;
    });
    // IDs of other tests of this process may be later than this test's clock.
    const earlier = await store.create(newJob(owner, 1), () => '');
    let date = decodeTime(earlier.id.slice(4));
    let [pieces, sweep] = [0, Promise.resolve()];
    let waits = false;
    t.mock.method(accountTurns, 'next', async (whose: string) => {
      if (whose === '') return waits ? creation : undefined;
      pieces += 1;
      if (pieces !== 2) return;
      date += 24 * 3_600_000;
      clock.set(date);
      sweep = store.forgetStagedInputs();
      if (!waits) await sweep;
    });
    const make = () => store.create({ ...newJob(owner, 0), inputs: largeInputs }, () => '');
    await assert.rejects(make(), { code: 'internal_error' });
    [waits, pieces] = [true, 0];
    const { id } = await make();
    finish();
    await sweep;
    assert.equal(await store.readInput(id, 0), largeInputs[0]);
  });

  test('large inputs of a schedule are deleted in pieces when it and its last job have ended', async (t) => {
    const { store, work, schedules, account, clock } = await open();
    const make = async (owner: string) => {
      const order = { ...newJob(owner, 0), inputs: largeInputs, schedule: { every: '6h' } };
      const { id } = await store.create(order, () => '');
      return { id, schedule: (await store.find(owner, id)).schedule ?? '' };
    };
    const turns = t.mock.method(accountTurns, 'next');
    for (const last of ['the job', 'the schedule']) {
      const owner = await account(100);
      const { id, schedule } = await make(owner);
      const steps = [() => work.end(id, all), () => schedules.end(owner, schedule)];
      if (last === 'the job') steps.reverse();
      await steps[0]?.();
      assert.equal(await store.readInput(id, 0), largeInputs[0]);
      const before = turns.mock.callCount();
      await steps[1]?.();
      assert.ok(turns.mock.callCount() - before >= 7, `${turns.mock.callCount() - before} pieces`);
      await assert.rejects(store.readInput(id, 0));
    }
    const owner = await account(100);
    const { id, schedule } = await make(owner);
    await work.end(id, all);
    turns.mock.mockImplementation(killed);
    await schedules.end(owner, schedule);
    turns.mock.restore();
    assert.equal(await store.readInput(id, 0), largeInputs[0]);
    clock.set(decodeTime(id.slice(4)) + 2 * 3_600_000);
    await store.forgetStagedInputs();
    await assert.rejects(store.readInput(id, 0));
  });

  test('knows which jobs have lines to be written', async () => {
    const { store, work, account } = await open();
    const { id } = await store.create(newJob(await account(100), 2), () => '');
    await work.end(id, [{ index: 0, ending: ok }]);
    const unfinished = (await store.listUnfinished()).map((job) => job.id);
    assert.deepEqual(unfinished, [id]);
    await work.end(id, [{ index: 1, ending: ok }]);
    assert.deepEqual(await store.listUnfinished(), []);
  });

  test('results are to be deleted after seven days, until they are forgotten', async () => {
    const { store, work, account, clock } = await open();
    const { id } = await store.create(newJob(await account(100), 1), () => '');
    await work.end(id, [{ index: 0, ending: ok }]);
    await clock.advance(7 * day - 1);
    assert.deepEqual(await store.listExpired(), []);
    await clock.advance(1);
    assert.deepEqual(await store.listExpired(), [id]);
    await store.forget(id);
    assert.deepEqual(await store.listExpired(), []);
  });

  test("each method rejects with the port's faults when the driver fails", async () => {
    const { store, account, breakDriver } = await open();
    const { id } = await store.create(newJob(await account(100), 1), () => '');
    await breakDriver();
    await assertFaults([
      store.listUnfinished(),
      store.listExpired(),
      store.forgetAnswers(),
      store.forgetLines(),
      store.forget(id),
    ]);
  });
}
