import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { GroupCommit, type GroupCommitOptions } from '../../lib/database/sqlite/group-commit.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import type { Charge } from '../../lib/ledger/ledger.js';
import { ledgerFault } from '../../lib/ledger/sqlite/ledger-fault.js';
import { FakeClock } from '../support/fake-clock.js';
import { chargeOf, refusal } from './ledger-port.js';

function numbers(options: Partial<GroupCommitOptions<Charge>> = {}) {
  const statements: string[] = [];
  const db = new Sqlite(':memory:', { verbose: (sql) => statements.push(String(sql)) });
  db.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY)');
  const insert = db.prepare<[number]>('INSERT INTO numbers VALUES (?)');
  const all = db.prepare<[], number>('SELECT n FROM numbers ORDER BY n').pluck();
  const writes = new GroupCommit<Charge>(db, new FakeClock(), { fault: ledgerFault, ...options });
  const commits = () => statements.filter((sql) => sql === 'COMMIT').length;
  return { db, writes, commits, add: (n: number) => insert.run(n).changes, all: () => all.all() };
}

describe('grouped commits', () => {
  test('makes items together, or undoes them and makes them one by one', async () => {
    const groups: string[] = [];
    const { db, writes, add, all } = numbers({
      async together(items) {
        groups.push(`together ${items.length}`);
        add(7);
        if (items.length > 1) throw new ExtractError('insufficient_credits');
        return items.map(() => ({ value: 'paid' }));
      },
      async oneByOne(items) {
        groups.push(`one by one ${items.length}`);
        return items.map(({ id }) => (id === 'b' ? { reason: new Error('b') } : { value: id }));
      },
    });
    assert.equal(await writes.add(chargeOf('a')), 'paid');
    db.exec('DELETE FROM numbers');
    const group = await Promise.allSettled([
      writes.add(chargeOf('a')),
      writes.run(() => add(1)),
      writes.add(chargeOf('b')),
    ]);
    const states = group.map(({ status }) => status);
    assert.deepEqual(states, ['fulfilled', 'fulfilled', 'rejected']);
    assert.deepEqual(groups, ['together 1', 'together 2', 'one by one 2']);
    assert.deepEqual(all(), [1]);
  });

  test('requests of one turn share one transaction, of which a failed one undoes only its own writes', async () => {
    const { writes, commits, add, all } = numbers();
    const counts = Array.from({ length: 50 }, (_, n) => n);
    const refused = new ExtractError('insufficient_credits');
    const results = await Promise.allSettled(
      counts.map((n) =>
        writes.run(() => {
          const added = add(n);
          if (n === 7) throw refused;
          return added + n;
        }),
      ),
    );
    const expected = counts.map((n) => ({ status: 'fulfilled', value: n + 1 }));
    assert.deepEqual(results, expected.with(7, { status: 'rejected', reason: refused } as never));
    assert.deepEqual([all(), commits()], [counts.toSpliced(7, 1), 1]);
  });

  test('an SQLite error is reported as an internal fault, with its cause', async () => {
    const { writes, add, all } = numbers();
    await writes.run(() => add(1));
    const again = writes.run(() => add(1));
    await assert.rejects(again, refusal('internal_error'));
    await assert.rejects(again, (error: ExtractError) => /UNIQUE/.test(String(error.cause)));
    assert.deepEqual(all(), [1]);
  });

  test('fails the group of a lost transaction, and continues with the next', async () => {
    const { db, writes, add, all } = numbers();
    const group = await Promise.allSettled([
      writes.run(() => add(1)),
      // As SQLite itself does on some disk errors.
      writes.run(() => {
        db.exec('ROLLBACK');
        throw new Error('disk');
      }),
      writes.run(() => add(3)),
    ]);
    const states = group.map(({ status }) => status);
    assert.deepEqual(states, ['rejected', 'rejected', 'rejected']);
    await writes.run(() => add(4));
    assert.deepEqual(all(), [4]);
  });

  test('no caller learns of success before everything is on the disk', async () => {
    const events: string[] = [];
    const { promise: synced, resolve: done } = Promise.withResolvers<void>();
    const { writes, add } = numbers({
      sync: () => {
        events.push('sync');
        return synced;
      },
    });
    const all = Promise.all(
      [1, 2, 3].map((n) => writes.run(() => add(n)).finally(() => events.push('told'))),
    );
    while (!events.includes('sync')) await turn();
    for (let turns = 0; turns < 5; turns += 1) await turn();
    assert.deepEqual(events, ['sync']);
    done();
    assert.deepEqual(await all, [1, 1, 1]);
    assert.deepEqual(events, ['sync', 'told', 'told', 'told']);
  });

  test('gives the disk time only if every item of the group has it', async () => {
    const hadTime: boolean[] = [];
    const { writes, add } = numbers({
      sync: async (hasTime) => void hadTime.push(hasTime),
      hasTime: ({ id }) => id.startsWith('patient'),
      together: async (items) => items.map(() => ({ value: 'paid' })),
    });
    const all = (...ids: readonly string[]) => Promise.all(ids.map((id) => writes.add(chargeOf(id))));
    await all('patient a', 'patient b');
    await all('patient c', 'hasty');
    await Promise.all([all('patient d'), writes.run(() => add(1))]);
    assert.deepEqual(hadTime, [true, false, false]);
    await assert.rejects(writes.run(() => add(1)));
    assert.equal(hadTime.length, 3, 'nothing was written');
  });

  test('the next group runs while the disk syncs the previous one, and each is reported when its own sync ends', async () => {
    const ends: (() => void)[] = [];
    const values: number[] = [];
    const { writes, add, all, commits } = numbers({
      sync: () => new Promise<void>((resolve) => ends.push(resolve)),
    });
    const first = writes.run(() => add(1)).then(() => values.push(1));
    while (ends.length < 1) await turn();
    const second = writes.run(() => add(2)).then(() => values.push(2));
    while (ends.length < 2) await turn();
    assert.deepEqual([all(), commits(), values], [[1, 2], 2, []]);
    ends[0]?.();
    await first;
    assert.deepEqual(values, [1]);
    let isIdle = false;
    const idle = writes.idle().then(() => {
      isIdle = true;
    });
    for (let turns = 0; turns < 5; turns += 1) await turn();
    assert.equal(isIdle, false, 'somebody waits for the disk');
    ends[1]?.();
    await Promise.all([second, idle]);
  });

  test('nothing runs in a file that cannot be prepared, and its group is refused', async () => {
    let faults = 1;
    const { writes, add, all } = numbers({
      ready: () => {
        faults -= 1;
        if (faults === 0) throw new Error('the log has a gap');
      },
    });
    const group = await Promise.allSettled([writes.run(() => add(1)), writes.run(() => add(2))]);
    const states = group.map(({ status }) => status);
    assert.deepEqual(states, ['rejected', 'rejected']);
    assert.equal(await writes.run(() => add(3)), 1);
    assert.deepEqual(all(), [3]);
  });

  for (const [when, failing] of [
    ['when it begins', () => assert.fail('disk')],
    ['later', () => Promise.reject(new Error('disk'))],
  ] as const) {
    test(`no caller of a group whose sync fails ${when} learns of success, and the next group continues`, async () => {
      let syncs = 0;
      const { writes, add } = numbers({
        sync: () => {
          syncs += 1;
          return syncs === 1 ? failing() : Promise.resolve();
        },
      });
      const group = await Promise.allSettled([writes.run(() => add(1)), writes.run(() => add(2))]);
      const codes = group.map((one) => one.status === 'rejected' && one.reason.code);
      assert.deepEqual(codes, ['internal_error', 'internal_error']);
      assert.equal(await writes.run(() => add(3)), 1);
    });
  }
});
