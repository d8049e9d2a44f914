import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refusal } from '../../ledger/ledger-port.js';
import { jobsHarness } from '../jobs/harness.js';
import { usageQueriesPort } from './usage-queries-port.js';

usageQueriesPort('usage in the SQLite file of a data directory', async (t) => {
  const { opened } = await jobsHarness(t, { start: false });
  return opened;
});

describe('usage in the SQLite file of a data directory', () => {
  test('rejects with an error of the catalogue when the driver fails', async (t) => {
    const { opened } = await jobsHarness(t, { start: false });
    const { usage, database } = opened;
    database.db.exec('ALTER TABLE usage RENAME TO lost');
    await assert.rejects(usage.listCalls('acct_a', { limit: 1 }), refusal('internal_error', /ledger/));
    database.db.exec('ALTER TABLE lost RENAME TO usage');
    assert.deepEqual(await usage.listCalls('acct_a', { limit: 1 }), { rows: [], next: null });
  });
});
