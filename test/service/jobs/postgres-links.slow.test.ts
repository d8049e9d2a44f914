import { describe } from 'node:test';
import { FakeClock } from '../../support/fake-clock.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { databaseHarness } from './database-harness.js';
import { linksSuite } from './links-port.js';

describe('shared links of a database', { skip: skipWithoutPostgres }, () => {
  linksSuite(async (t) => {
    const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
    const database = await databaseHarness(t);
    return { ...(await database.node({ clock })), clock };
  });
});
