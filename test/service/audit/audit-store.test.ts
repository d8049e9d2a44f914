import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
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

/** The digest of an act by the rule in docs/hosting.md. */
function digestOf({ number, at, via, login, act, subject, details }: AuditEntry, before: string): string {
  const text = JSON.stringify([before, number, at, via, login, act, subject, details]);
  return createHash('sha256').update(text).digest('hex');
}

function assertChain(entries: readonly AuditEntry[]): void {
  for (const [at, entry] of entries.entries())
    assert.equal(entry.digest, digestOf(entry, entries[at - 1]?.digest ?? '0'.repeat(64)), entry.act);
}

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

    test('lists acts in order, with operator, time and subject', async () => {
      const database = await open();
      const clock = new FakeClock();
      const log = new AuditStore(database, clock, command);
      const began = new Date(clock.now()).toISOString();
      assert.deepEqual(await all(log), []);
      await log.note({ act: 'account.create', subject: 'acct_1', details: { credits: 5, verified: true } });
      await clock.advance(1_000);
      await new AuditStore(database, clock, serverOperator).note({ act: 'admin.sign_in' });
      const [first, second] = await all(log);
      const { digest: _, ...rest } = first as AuditEntry;
      assert.deepEqual(rest, {
        ...{ number: 1, at: began, via: 'command', login: 'alice', act: 'account.create' },
        ...{ subject: 'acct_1', details: { credits: 5, verified: true } },
      });
      assert.deepEqual([second?.number, second?.via, second?.login], [2, 'server', null]);
      assertChain(await all(log));
      const numbers = async (query: object) =>
        (await log.list({ limit: 9, ...query })).map(({ number }) => number);
      assert.deepEqual(await numbers({}), [2, 1]);
      assert.deepEqual(await numbers({ limit: 1 }), [2]);
      assert.deepEqual(await numbers({ act: 'account.create' satisfies ActName }), [1]);
      assert.deepEqual(await numbers({ from: second?.at }), [2]);
      assert.deepEqual(await numbers({ to: second?.at }), [1]);
    });

    test('an act is stored together with its change or not at all', async () => {
      const { database, log } = await withActs(1);
      const work = database.transaction(async (queries) => {
        await log.append(queries, { act: 'key.create', subject: 'key_9' });
        throw new Error('the change failed');
      });
      await assert.rejects(work, /the change failed/);
      assert.equal((await all(log)).length, 1);
    });

    test('the digests follow each other when several append at once', async () => {
      const { database, log } = await withActs(0);
      const others = [log, new AuditStore(database, new FakeClock(), serverOperator)];
      const numbers = Array.from({ length: 40 }, (_, at) => at + 1);
      await Promise.all(
        numbers.map((number) => others[number % 2]?.note({ act: 'key.revoke', subject: `key_${number}` })),
      );
      const entries = await all(log);
      assert.deepEqual(
        entries.map(({ number }) => number),
        numbers,
      );
      assert.equal(new Set(entries.map(({ subject }) => subject)).size, 40);
      assertChain(entries);
    });

    test('the database refuses to change or remove an act', async () => {
      const { database, log } = await withActs(2);
      for (const statement of [`UPDATE audit_acts SET subject = 'key_3'`, 'DELETE FROM audit_acts'])
        await assert.rejects(database.transaction((queries) => queries.run(statement)));
      assert.equal((await all(log)).length, 2);
    });
  });
}
