import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FakeClock } from '../../support/fake-clock.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { databaseHarness } from './database-harness.js';
import { appOf, jobsHarness } from './harness.js';
import { scheduleNewsSuite } from './schedule-news-port.js';

describe('schedules of a data directory give what is new', () => {
  test('and no job without a schedule does', async (t) => {
    const all = await jobsHarness(t, { start: false });
    const { secret } = await all.customer();
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const order = { endpoint: 'maps/harbours', inputs: [{ query: 'a' }], new: true };
    const send = (body: object) =>
      appOf(all).inject({ method: 'POST', url: '/v1/jobs', headers, payload: JSON.stringify(body) });
    const refused = await send(order);
    assert.deepEqual([refused.statusCode, refused.json().error.code], [400, 'invalid_parameter']);
    assert.match(refused.json().error.message, /requires a schedule/);
    const reply = await send({ ...order, schedule: '6h' });
    assert.deepEqual([reply.statusCode, reply.json().data.new], [202, true]);
  });

  scheduleNewsSuite(async (t, ask) => {
    const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
    const all = await jobsHarness(t, { ask, clock });
    const { stores } = all.opened.database;
    return {
      ...{ ...all, clock, pauseMs: 0 },
      rows: (sql, values) => stores.transaction((queries) => queries.rows(sql, values)),
    };
  });
});

describe('schedules of a database give what is new', { skip: skipWithoutPostgres }, () => {
  scheduleNewsSuite(async (t, ask) => {
    const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
    const database = await databaseHarness(t);
    return { ...database, ...(await database.node({ ask, clock })), clock };
  });
});
