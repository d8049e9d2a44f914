import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Database } from '../../../lib/database/database.js';
import type { ActName, AuditEntry } from '../../../src/service/audit/audit-log.js';
import { auditSchema } from '../../../src/service/audit/audit-schema.js';
import { AuditStore, serverOperator } from '../../../src/service/audit/audit-store.js';
import { databaseKinds } from '../../support/databases.js';
import { FakeClock } from '../../support/fake-clock.js';

const command = { via: 'command', login: 'alice' } as const;

async function all(log: AuditStore): Promise<readonly AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for await (const entry of log.entries()) entries.push(entry);
  return entries;
}

/** Takes away what keeps the acts from being changed, as somebody would who has the database. */
const unlocks = {
  SQLite: ['DROP TRIGGER audit_act_changed', 'DROP TRIGGER audit_act_gone'],
  PostgreSQL: ['DROP TRIGGER audit_act_changed ON audit_acts'],
};

for (const { name, skip, make } of databaseKinds) {
  describe(`the audit log in ${name}`, { skip }, () => {
    const open = async () => (await make(auditSchema))();

    /** A log of so many acts. */
    async function withActs(count: number): Promise<{ database: Database; log: AuditStore }> {
      const database = await open();
      const log = new AuditStore(database, new FakeClock(), command);
      for (let number = 1; number <= count; number += 1) {
        await log.note({ act: 'key.revoke', subject: `key_${number}`, details: { account: 'acct_1' } });
      }
      return { database, log };
    }

    /** What somebody does who has the database. */
    const tamper = (database: Database, ...statements: readonly string[]) =>
      database.transaction(async (queries) => {
        for (const statement of [...unlocks[name], ...statements]) await queries.run(statement);
      });

    test('keeps acts in their order, with who did them, when and to what', async () => {
      const database = await open();
      const clock = new FakeClock();
      const log = new AuditStore(database, clock, command);
      const began = new Date(clock.now()).toISOString();
      assert.deepEqual([await all(log), await log.check()], [[], null]);
      await log.note({ act: 'account.create', subject: 'acct_1', details: { credits: 5, verified: true } });
      await clock.advance(1_000);
      await new AuditStore(database, clock, serverOperator).note({ act: 'admin.sign_in' });
      const [first, second] = await all(log);
      const { digest, ...rest } = first as AuditEntry;
      assert.deepEqual(rest, {
        ...{ number: 1, at: began, via: 'command', login: 'alice', act: 'account.create' },
        ...{ subject: 'acct_1', details: { credits: 5, verified: true } },
      });
      assert.match(digest, /^[0-9a-f]{64}$/);
      assert.deepEqual([second?.number, second?.via, second?.login], [2, 'server', null]);
      assert.equal(await log.check(), null);
      const numbers = async (query: object) =>
        (await log.list({ limit: 9, ...query })).map(({ number }) => number);
      assert.deepEqual(await numbers({}), [2, 1]);
      assert.deepEqual(await numbers({ limit: 1 }), [2]);
      assert.deepEqual(await numbers({ act: 'account.create' satisfies ActName }), [1]);
      assert.deepEqual(await numbers({ from: second?.at }), [2]);
      assert.deepEqual(await numbers({ to: second?.at }), [1]);
    });

    test('an act is there with the transaction that it tells of, or not at all', async () => {
      const { database, log } = await withActs(1);
      const work = database.transaction(async (queries) => {
        await log.append(queries, { act: 'key.create', subject: 'key_9' });
        throw new Error('the change failed');
      });
      await assert.rejects(work, /the change failed/);
      assert.equal((await all(log)).length, 1);
      assert.equal(await log.check(), null);
    });

    test('the chain holds when several append at once, and while it is checked', async () => {
      const { database, log } = await withActs(0);
      const others = [log, new AuditStore(database, new FakeClock(), serverOperator)];
      const acts = Array.from({ length: 40 }, (_, at) =>
        others[at % 2]?.note({ act: 'key.revoke', subject: `key_${at}` }),
      );
      const checks = Array.from({ length: 5 }, () => log.check());
      await Promise.all(acts);
      assert.deepEqual(await Promise.all(checks), [null, null, null, null, null]);
      const entries = await all(log);
      assert.deepEqual(
        entries.map(({ number }) => number),
        Array.from({ length: 40 }, (_, at) => at + 1),
      );
      assert.equal(new Set(entries.map(({ subject }) => subject)).size, 40);
      assert.equal(await log.check(), null);
    });

    test('the database refuses to change or remove an act', async () => {
      const { database, log } = await withActs(2);
      for (const statement of [`UPDATE audit_acts SET subject = 'key_3'`, 'DELETE FROM audit_acts']) {
        await assert.rejects(database.transaction((queries) => queries.run(statement)));
      }
      assert.equal((await all(log)).length, 2);
    });

    for (const [fault, statements, sentence] of [
      [
        'a changed act',
        [`UPDATE audit_acts SET subject = 'key_9' WHERE number = 3`],
        /^Act 3 \(key\.revoke, .*\) was changed/,
      ],
      [
        'a changed detail',
        [`UPDATE audit_acts SET details = '{"account":"acct_2"}' WHERE number = 1`],
        /^Act 1 \(key\.revoke, .*\) was changed\.$/,
      ],
      ['a time moved by a millisecond', ['UPDATE audit_acts SET at = at + 1 WHERE number = 2'], /^Act 2 /],
      ['a removed act', ['DELETE FROM audit_acts WHERE number = 2'], /^Act 2 is missing\.$/],
      ['removed acts', ['DELETE FROM audit_acts WHERE number IN (2, 3)'], /^Acts 2 to 3 are missing\.$/],
      ['a removed beginning', ['DELETE FROM audit_acts WHERE number < 3'], /^Acts 1 to 2 are missing\.$/],
      ['a removed end', ['DELETE FROM audit_acts WHERE number > 3'], /4 were written, 3 are there/],
      ['an emptied log', ['DELETE FROM audit_acts'], /4 were written, 0 are there/],
      ['an end that is moved back', ['UPDATE audit_heads SET acts = 3'], /^Acts stand behind act 3/],
      [
        'acts that changed places',
        [
          'UPDATE audit_acts SET number = 9 WHERE number = 2',
          'UPDATE audit_acts SET number = 2 WHERE number = 3',
          'UPDATE audit_acts SET number = 3 WHERE number = 9',
        ],
        /^Act 2 \(/,
      ],
      [
        'an act with the digest of another',
        [`UPDATE audit_acts SET digest = (SELECT digest FROM audit_acts WHERE number = 1) WHERE number = 4`],
        /^Act 4 \(/,
      ],
      [
        'an invented act',
        [
          `INSERT INTO audit_acts (number, at, via, act, details, digest) VALUES (5, 1, 'command', 'key.revoke', '{}', 'x')`,
        ],
        /^Act 5 \(/,
      ],
    ] as const) {
      test(`the check names ${fault}`, async () => {
        const { database, log } = await withActs(4);
        assert.equal(await log.check(), null);
        await tamper(database, ...statements);
        assert.match((await log.check()) ?? 'nothing', sentence);
      });
    }
  });
}
