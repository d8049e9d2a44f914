import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AccountTurns } from '../../lib/runtime/account-turns.js';
import { refusal } from '../ledger/ledger-port.js';
import { FakeClock } from '../support/fake-clock.js';

describe('turns of accounts', () => {
  test('an account rests twice as long as its work took, however it ended, and holds up no other', async () => {
    const clock = new FakeClock();
    const turns = new AccountTurns(10, 'Wait.', clock);
    const done: string[] = [];
    const work = (account: string, ms: number) =>
      turns
        .run(account, async () => {
          await clock.sleep(ms);
          done.push(account);
          if (ms === 80) throw new Error('It fails.');
        })
        .catch(() => undefined);
    const all = [work('many', 80), work('many', 30), work('few', 10)];
    await clock.advance(10);
    assert.deepEqual(done, ['few']);
    await clock.advance(70);
    assert.deepEqual(done, ['few', 'many']);
    await clock.advance(160);
    assert.deepEqual(done, ['few', 'many'], 'it rests');
    await clock.advance(30);
    assert.deepEqual(done, ['few', 'many', 'many']);
    await Promise.all(all);
    const later = work('many', 1);
    await clock.advance(60);
    await clock.advance(1);
    await later;
    assert.equal(done.length, 4, 'a rest binds whoever comes within it, too');
  });

  test('an account rests after the shortest work, too, for what comes of it later', async () => {
    const clock = new FakeClock();
    const turns = new AccountTurns(100, 'Wait.', clock, 40);
    let done = 0;
    const all = Array.from({ length: 50 }, () =>
      turns.run('many', async () => {
        await clock.sleep(1);
        done += 1;
      }),
    );
    for (let ms = 0; ms < 1_000; ms += 1) await clock.advance(1);
    assert.equal(done, 25);
    for (let ms = 0; ms < 1_050; ms += 1) await clock.advance(1);
    await Promise.all(all);
  });

  test('without a clock, work follows at once, and how much waits is bounded', async () => {
    const turns = new AccountTurns(1, 'Wait.');
    const held: (() => void)[] = [];
    const work = () => turns.run('one', () => new Promise<void>((resolve) => held.push(resolve)));
    const [first, second] = [work(), work()];
    await assert.rejects(work(), refusal('rate_limited'));
    await Promise.resolve();
    held.shift()?.();
    await first;
    while (held.length === 0) await Promise.resolve();
    held.shift()?.();
    await second;
  });
});
