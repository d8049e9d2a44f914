import { describe } from 'node:test';
import { FakeClock } from '../../support/fake-clock.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { databaseHarness } from './database-harness.js';
import { scheduleHistorySuite } from './schedule-history-port.js';

describe('schedules of a database keep a history', { skip: skipWithoutPostgres }, () => {
  scheduleHistorySuite(async (t, ask) => {
    const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
    const database = await databaseHarness(t);
    return { ...(await database.node({ ask, clock })), clock };
  });
});
