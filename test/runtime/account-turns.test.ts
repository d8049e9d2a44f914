import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { AccountTurns } from '../../lib/runtime/account-turns.js';
import { refusal } from '../ledger/ledger-port.js';

/** A loop whose time advances with its tasks, and with its alarms when idle. */
class WorkingLoop {
  ms = 0;
  readonly done: string[] = [];
  /** Pieces of each turn of the event loop. */
  readonly inTurns: number[] = [];
  readonly turns: AccountTurns;
  #alarm: (() => void) | undefined;
  #waiting = 0;

  constructor() {
    this.turns = new AccountTurns({
      now: () => this.ms,
      alarm: (ms, ring) => {
        this.#alarm = () => {
          this.ms += ms;
          ring();
        };
        return () => {
          this.#alarm = undefined;
        };
      },
    });
  }

  /** One piece of an account, which takes so long. */
  async piece(account: string, ms: number, laterMs = 0): Promise<void> {
    this.#waiting += 1;
    await this.turns.next(account, laterMs);
    this.ms += ms;
    this.done.push(account);
    this.#waiting -= 1;
  }

  /** Runs turns until the queue is empty or the time is reached; `caller` makes a call in each. */
  async pass(caller: string | null, end = Number.POSITIVE_INFINITY): Promise<void> {
    while (this.#waiting > 0 && this.ms < end) {
      if (caller !== null) this.turns.recordCall(caller);
      const before = this.done.length;
      await setImmediate();
      this.inTurns.push(this.done.length - before);
      const alarm = this.#alarm;
      this.#alarm = undefined;
      alarm?.();
    }
  }
}

describe('turns on the event loop', () => {
  test('a turn of the loop begins pieces for a millisecond, however many wait', async () => {
    const loop = new WorkingLoop();
    const all = Array.from({ length: 200 }, (_, at) => loop.piece(`acct_${at}`, 0.5));
    await loop.pass(null);
    await Promise.all(all);
    assert.equal(Math.max(...loop.inTurns), 2);
  });

  test('accounts take turns, and the pieces of each keep their order', async () => {
    const loop = new WorkingLoop();
    const many = Array.from({ length: 50 }, () => loop.piece('many', 1));
    await setImmediate();
    await setImmediate();
    const before = loop.done.length;
    const few = [loop.piece('few', 1), loop.piece('few', 1)];
    await loop.pass(null);
    await Promise.all([...many, ...few]);
    assert.deepEqual(loop.done.slice(before, before + 4), ['many', 'few', 'many', 'few']);
  });

  for (const [callers, caller, ms, least, most] of [
    ['others call', 'other', 2, 60, 85],
    ['others call, whatever a piece takes', 'other', 0.25, 60, 85],
    ['nobody calls', null, 2, 300, 302],
    ['it alone calls', 'one', 2, 300, 302],
  ] as const) {
    test(`of 300 ms an account has ${least} to ${most} where ${callers}`, async () => {
      const loop = new WorkingLoop();
      const all = Array.from({ length: 2_000 }, () => loop.piece('one', ms));
      await loop.pass(caller, 300);
      const worked = loop.done.length * ms;
      assert.ok(worked >= least && worked <= most, `${worked} ms`);
      await loop.pass(null);
      await Promise.all(all);
    });
  }

  test('work waits while a connection comes in each turn, and for no more than a hundred', async () => {
    const loop = new WorkingLoop();
    const all = Array.from({ length: 3 }, () => loop.piece('one', 1));
    for (let turn = 0; turn < 250; turn += 1) {
      loop.turns.recordConnection();
      await setImmediate();
      loop.inTurns.push(loop.done.length);
    }
    const served = [0, 1, 2].map((pieces) => loop.inTurns.filter((done) => done === pieces).length);
    assert.deepEqual(served, [100, 101, 49]);
    await setImmediate();
    await Promise.all(all);
  });

  test('work that others do later counts, and a rest ends', async () => {
    const loop = new WorkingLoop();
    const all = Array.from({ length: 100 }, () => loop.piece('one', 0, 4));
    await loop.pass('other', 300);
    assert.ok(loop.done.length >= 15 && loop.done.length <= 20, `${loop.done.length} pieces`);
    await loop.pass(null);
    await Promise.all(all);
    const long = loop.piece('one', 10_000);
    await loop.pass('other');
    await long;
    const began = loop.ms;
    const next = loop.piece('one', 0);
    await loop.pass('other');
    await next;
    assert.ok(loop.ms - began <= 60, `it rests for ${loop.ms - began} ms`);
  });
});

test('an account’s next work starts immediately, however the last one ended, delays no other account, and the queue is bounded', async () => {
  const turns = new AccountTurns();
  const starts: (() => void)[] = [];
  const work = (account: string, fault?: Error) =>
    turns.run({ name: 'work', maxWaiting: 1, refusal: 'Wait.' }, account, async () => {
      await new Promise<void>((resolve) => starts.push(resolve));
      if (fault !== undefined) throw fault;
    });
  const first = work('one', new Error('It fails.'));
  const second = work('one');
  await assert.rejects(work('one'), refusal('rate_limited'));
  const other = work('two');
  await Promise.resolve();
  const both = starts.splice(0);
  assert.equal(both.length, 2);
  for (const end of both) end();
  await assert.rejects(first, /It fails/);
  await other;
  while (starts.length === 0) await Promise.resolve();
  starts.shift()?.();
  await second;
});

test('work begins by account, then by name: the least running first, then the longest wait, within the bound', () => {
  const turns = new AccountTurns();
  const waiting = new Map([
    [
      'many',
      new Map([
        ['job 1', 'a'],
        ['job 2', 'b'],
      ]),
    ],
    ['few', new Map([['job 3', 'c']])],
  ]);
  const isFree = (work: string) => work !== 'blocked';
  const started = Array.from({ length: 5 }, () => turns.begin(waiting, 3, isFree));
  const order = started.map((one) => one?.work);
  assert.deepEqual(order, ['a', 'c', 'b', 'c', 'a']);
  assert.equal(started[0]?.name, 'job 1');
  assert.equal(turns.begin(waiting, 3, isFree)?.work, 'c');
  assert.equal(turns.begin(waiting, 3, isFree), null);
  started[2]?.end();
  assert.equal(turns.begin(waiting, 3, isFree)?.work, 'b');
  for (const one of started) one?.end();
  waiting.set('few', new Map([['job 3', 'blocked']]));
  assert.equal(turns.begin(waiting, 3, isFree)?.work, 'a');
  assert.equal(turns.begin(waiting, 0, isFree), null);
});
