import type { Database } from '../../../../lib/database/database.js';
import { pendingInputs } from '../../../../lib/ledger/job-entries.js';
import type { JobRow } from '../job-row.js';
import type { Engine } from './engine.js';
import { sendCancelled, sendSlices } from './slices.js';

/** Sends slices again that have unfinished inputs but no task. Resolves with the number of their jobs. */
export async function resendSlices(database: Database, engine: Engine): Promise<number> {
  const rows = await database.read((queries) =>
    queries.rows<JobRow>('SELECT * FROM jobs WHERE lines < total ORDER BY id'),
  );
  for (const row of rows) {
    await database.transaction(async (queries) => {
      if (row.status === 'cancelled') await sendCancelled(engine, queries, row);
      else await sendSlices(engine, queries, row, await pendingInputs(queries, row.id));
    });
  }
  return rows.length;
}
