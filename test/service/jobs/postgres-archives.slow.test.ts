import { describe } from 'node:test';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { archivesSuite } from './archives-port.js';
import { databaseHarness } from './database-harness.js';

describe('archives of the jobs of a database', { skip: skipWithoutPostgres }, () => {
  archivesSuite(async (t) => {
    const database = await databaseHarness(t);
    return {
      node: (options) => database.node(options),
      async kept() {
        const [found] = await database.rows<{ bytes: number }>(
          'SELECT CAST(coalesce(sum(octet_length(member)), 0) AS bigint) AS bytes FROM job_records',
        );
        return found?.bytes ?? 0;
      },
    };
  });
});
