import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Database } from '../../lib/database/database.js';
import type { Queries } from '../../lib/database/queries.js';
import {
  endPendingInputs,
  inputsAmong,
  inputsWith,
  releaseInputs,
  reserveInputs,
} from '../../lib/ledger/job-entries.js';
import type { Ledger } from '../../lib/ledger/ledger.js';
import { skipWithoutPostgres } from '../support/postgres.js';
import { openNewLedger } from './ledger-file.js';
import { refusal } from './ledger-port.js';
import { assertBalanced, ledgerHarness } from './postgres-harness.js';

type Harness = () => Promise<{
  readonly ledger: Ledger & { readonly owner: string };
  readonly database: Database;
}>;

const inFile: Harness = async () => {
  const { ledger } = openNewLedger();
  after(() => ledger.close());
  const { owner, stores } = await ledger.database();
  return { ledger: Object.assign(ledger, { owner }), database: stores };
};

const postgres = ledgerHarness(after);
const inPostgres: Harness = async () => {
  const { ledger, database } = await postgres();
  return { ledger, database: database.postgres };
};

for (const [name, skip, harness] of [
  ['SQLite', false, inFile],
  ['PostgreSQL', skipWithoutPostgres, inPostgres],
] as const)
  describe(`the entries of a job in ${name}`, { skip }, () => {
    const key = { id: 'key_1', name: 'laptop', monthlyCredits: 20 };
    const job = { job: 'job_1', account: 'local', endpoint: 'maps/place' };
    const order = { ...job, credits: 3, count: 4, at: 0, key };

    async function opened() {
      const { ledger, database } = await harness();
      const write = <T>(work: (queries: Queries) => Promise<T>) => database.transaction(work);
      const end = (...inputs: Parameters<typeof endPendingInputs>[3]) =>
        write((queries) => endPendingInputs(queries, 'job_1', 'local', inputs));
      await write((queries) => reserveInputs(queries, order, ledger.owner));
      const spent = async () => {
        const find = 'SELECT credits FROM key_months WHERE key_id = $1';
        return (await database.read((queries) => queries.first<{ credits: number }>(find, [key.id])))
          ?.credits;
      };
      return { ledger, database, write, end, spent };
    }

    test('refund what an answer costs less than reserved, and everything for a failure', async () => {
      const { ledger, database, end, spent } = await opened();
      assert.deepEqual([(await ledger.balance('local')).credits, await spent()], [49_988, 12]);
      const ok = { status: 'ok', cached: false, credits: 3 } as const;
      const { refunded } = await end(
        { index: 0, ending: ok, at: 86_400_000, measures: { duration_ms: 9 } },
        { index: 1, ending: { ...ok, cached: true, credits: 2 } },
        { index: 2, ending: { ...ok, credits: 0 } },
        { index: 3, ending: { status: 'failed', code: 'place_not_found' } },
      );
      assert.equal(refunded, 0 + 1 + 3 + 3);
      assert.deepEqual([(await ledger.balance('local')).credits, await spent()], [49_995, 5]);
      const { rows } = await ledger.usage('local', { limit: 9, job: 'job_1' });
      assert.deepEqual(
        rows.map((row) =>
          [row.id, row.credits_charged, row.credits_refunded, row.cached, row.duration_ms].join(' '),
        ),
        ['job_1:0 3 0 false 9', 'job_1:1 2 1 true ', 'job_1:2 0 3 false ', 'job_1:3 0 3 false '],
      );
      await assertBalanced(database);
    });

    test('end once: nothing changes of one that has ended already', async () => {
      const { ledger, database, end } = await opened();
      const failed = { index: 1, ending: { status: 'failed', code: 'place_not_found' } } as const;
      await end(failed);
      assert.deepEqual(await end(failed), { ended: [], refunded: 0 });
      assert.deepEqual(await database.read((queries) => inputsWith(queries, 'job_1', 'pending')), [0, 2, 3]);
      const among = await database.read((queries) => inputsAmong(queries, 'job_1', [1, 2, 9], 'pending'));
      assert.deepEqual([...among], [2]);
      assert.equal((await ledger.balance('local')).credits, 49_991);
      const dear = { index: 0, ending: { status: 'ok', cached: false, credits: 4 } } as const;
      await assert.rejects(end(dear), refusal('internal_error'));
      await assertBalanced(database);
    });

    test('release exactly what their rows hold', async () => {
      const { ledger, database, write, end, spent } = await opened();
      await end({ index: 2, ending: { status: 'ok', cached: true, credits: 2 } });
      const released = await write((queries) =>
        releaseInputs(queries, { id: 'job_1', account: 'local', total: 4 }),
      );
      assert.deepEqual(released, { inputs: 3, credits: 9 });
      assert.deepEqual(await database.read((queries) => inputsWith(queries, 'job_1', 'failed')), [0, 1, 3]);
      assert.deepEqual([(await ledger.balance('local')).credits, await spent()], [49_998, 2]);
      await assertBalanced(database);
      const among = await database.read((queries) => inputsAmong(queries, 'job_1', [1, 2, 9], 'cancelled'));
      assert.deepEqual([...among], [1]);
    });

    test('are refused if the account, or the key within its limit, cannot pay them', async () => {
      const { ledger, write } = await opened();
      const more = { ...order, job: 'job_2', count: 3 };
      const dear = { ...more, key: undefined, count: 20_000 };
      for (const [one, message] of [
        [more, /has spent 12; this job costs 9/],
        [dear, /costs 60000 credits, but the balance is 49988/],
      ] as const) {
        const reserving = write((queries) => reserveInputs(queries, one, ledger.owner));
        await assert.rejects(reserving, refusal('insufficient_credits', message));
      }
      assert.equal((await ledger.balance('local')).credits, 49_988);
    });
  });
