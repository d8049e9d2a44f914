import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../../lib/endpoints.js';
import { appOf, awaitJob, type Customer, jobsHarness } from '../../../service/jobs/harness.js';

type App = ReturnType<typeof appOf>;
type Method = 'GET' | 'POST';

const call = (
  app: App,
  { secret }: Pick<Customer, 'secret'>,
  method: Method,
  url: string,
  payload?: object,
) =>
  app.inject({
    method,
    url: `/v1/${url}`,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
  });

const codeOf = (answer: { json(): unknown }) => (answer.json() as { error: { code: string } }).error.code;
const order = { endpoint: 'maps/harbours', inputs: [{ query: 'a' }, { query: 'b' }] };

describe('POST /v1/jobs with a schedule', () => {
  test('creates the first job immediately with the schedule, once per idempotency key', async (t) => {
    const all = await jobsHarness(t, { start: false });
    const customer = await all.customer();
    const app = appOf(all);
    const send = () =>
      app.inject({
        method: 'POST',
        url: '/v1/jobs',
        headers: {
          authorization: `Bearer ${customer.secret}`,
          'content-type': 'application/json',
          'idempotency-key': 'k',
        },
        payload: JSON.stringify({ ...order, schedule: '6h' }),
      });
    const [first, second] = [await send(), await send()];
    assert.equal(first.statusCode, 202);
    assert.equal(second.payload, first.payload);
    const { schedule } = first.json().data;
    const { data } = (await call(app, customer, 'GET', 'schedules')).json();
    assert.equal(data.length, 1);
    assert.deepEqual(
      [data[0].id, data[0].every, data[0].credits_per_run, data[0].runs_in_30_days],
      [schedule, '6h', 6, 120],
    );
    assert.equal(data[0].credits_in_30_days, 720);
    assert.equal(data[0].last_run.job, first.json().data.id);
    const other = await app.inject({
      method: 'POST',
      url: '/v1/jobs',
      headers: {
        authorization: `Bearer ${customer.secret}`,
        'content-type': 'application/json',
        'idempotency-key': 'k',
      },
      payload: JSON.stringify({ ...order, schedule: '12h' }),
    });
    assert.equal(codeOf(other), 'idempotency_mismatch');
  });

  test('refuses an invalid or too frequent timetable, and creates nothing', async (t) => {
    const all = await jobsHarness(t, { start: false });
    const customer = await all.customer();
    const app = appOf(all);
    for (const schedule of ['', 'soon', '5m', '* * * * *', '0,5 6 * * *', 7, { every: '6h' }]) {
      const answer = await call(app, customer, 'POST', 'jobs', { ...order, schedule });
      assert.deepEqual([answer.statusCode, codeOf(answer)], [400, 'invalid_parameter'], String(schedule));
    }
    assert.deepEqual((await call(app, customer, 'GET', 'schedules')).json().data, []);
    assert.deepEqual((await call(app, customer, 'GET', 'jobs')).json().data, []);
  });
});

describe('/v1/schedules', () => {
  test('shows, pauses, resumes and ends a schedule, to its account alone', async (t) => {
    const all = await jobsHarness(t, { start: false });
    const [customer, other] = [await all.customer(), await all.customer()];
    const app = appOf(all);
    const reply = await call(app, customer, 'POST', 'jobs', { ...order, schedule: '0 6 * * *' });
    const id: string = reply.json().data.schedule;
    const zoned = { ...order, schedule: 'monday 08:00', timezone: 'Europe/Berlin' };
    const berlin = (await call(app, customer, 'POST', 'jobs', zoned)).json().data.schedule;
    const schedule = (await call(app, customer, 'GET', `schedules/${berlin}`)).json().data;
    assert.equal(schedule.timezone, 'Europe/Berlin');
    for (const wrong of [
      { ...zoned, timezone: 'Mars/Base' },
      { ...order, timezone: 'UTC' },
    ]) {
      assert.equal(codeOf(await call(app, customer, 'POST', 'jobs', wrong)), 'invalid_parameter');
    }
    const runs = (await call(app, customer, 'GET', `schedules/${id}/runs?limit=1`)).json();
    assert.deepEqual(
      [runs.data[0].job, runs.data[0].missed, runs.meta.next_cursor],
      [reply.json().data.id, 0, null],
    );
    const now = await call(app, customer, 'POST', `schedules/${id}/run`);
    assert.deepEqual([now.statusCode, codeOf(now)], [409, 'job_not_finished']);
    const act = (action: string, by = customer) => call(app, by, 'POST', `schedules/${id}/${action}`);
    for (const [action, status] of [
      ['pause', 'paused'],
      ['resume', 'active'],
      ['end', 'ended'],
      ['end', 'ended'],
    ] as const) {
      const answer = await act(action);
      assert.deepEqual([answer.statusCode, answer.json().data.status], [200, status]);
    }
    const late = await act('resume');
    assert.deepEqual([late.statusCode, codeOf(late)], [409, 'schedule_ended']);
    assert.equal((await call(app, customer, 'GET', `schedules/${id}`)).json().data.status, 'ended');
    for (const answer of [await call(app, other, 'GET', `schedules/${id}`), await act('end', other)]) {
      assert.deepEqual([answer.statusCode, codeOf(answer)], [404, 'schedule_not_found']);
    }
    assert.equal((await call(app, { secret: 'none' }, 'GET', 'schedules')).statusCode, 401);
  });

  test('returns the changes of its runs, in pages, only to its account and platform', async (t) => {
    const names = ['a', 'b', 'c'];
    const source = { url: 'https://maps.example/x', author: null, fetched_at: '2026-01-01T00:00:00.000Z' };
    const all = await jobsHarness(t, {
      ask: async (_, __, { requestId }) => ({
        source: 'platform',
        json: JSON.stringify(names.map((name) => ({ name, berths: 1 }))),
        sources: JSON.stringify(names.map((id, place) => ({ ...source, id, position: place + 1 }))),
        meta: {
          ...{ request_id: requestId, credits_charged: 3, credits_remaining: 0, cached: false },
          ...{ fetched_at: source.fetched_at, next_cursor: null },
        },
      }),
    });
    const [customer, other] = [await all.customer(), await all.customer()];
    const app = appOf(all);
    const once = await call(app, customer, 'POST', 'jobs', { ...order, history: true });
    assert.match(once.json().error.message, /history requires a schedule/);
    const inputs = [{ query: 'a' }];
    const reply = await call(app, customer, 'POST', 'jobs', {
      ...order,
      inputs,
      schedule: '6h',
      history: true,
    });
    const { schedule: id, id: job, history } = reply.json().data;
    assert.deepEqual([reply.statusCode, history], [202, true]);
    await awaitJob(all, customer, job);
    const readPage = async (query: string, by: Pick<Customer, 'secret'> = customer) =>
      call(app, by, 'GET', `schedules/${id}/changes?${query}`);
    const first = (await readPage('limit=2')).json();
    const [change] = first.data;
    assert.deepEqual(change, {
      ...{ number: change.number, event: 'first', object: change.object, id: 'a', url: source.url },
      ...{ subject: 'a', endpoint: 'maps/harbours', field: null, before: null, after: null },
      ...{ fetched_at: source.fetched_at, run: job },
    });
    const second = (await readPage(`limit=2&cursor=${first.meta.next_cursor}`)).json();
    const ids = [...first.data, ...second.data].map((one: { id: string }) => one.id);
    assert.deepEqual([ids, second.meta.next_cursor], [names, null]);
    assert.equal((await readPage('since=2025-12-31')).json().data.length, 3);
    assert.deepEqual((await readPage('since=2026-01-01T00:00:01Z')).json().data, []);
    for (const wrong of ['since=soon', 'since=2026-13-01', 'limit=0', `cursor=${first.meta.next_cursor}`]) {
      const answer = await readPage(wrong.startsWith('cursor') ? `${wrong}&field=berths` : wrong);
      assert.equal(answer.statusCode, 400, wrong);
    }
    assert.match(
      (await readPage('since=soon')).json().error.message,
      /since must be a day or a time such as/,
    );
    const { secret } = await all.accounts.createKey({
      account: customer.account,
      name: 'limited',
      platforms: ['shortvideo'],
    });
    assert.deepEqual(
      [codeOf(await readPage('', other)), codeOf(await readPage('', { secret }))],
      ['schedule_not_found', 'schedule_not_found'],
    );
    const plain = await call(app, customer, 'POST', 'jobs', { ...order, schedule: '6h' });
    const none = await call(app, customer, 'GET', `schedules/${plain.json().data.schedule}/changes`);
    assert.match(none.json().error.message, /keeps no history/);
    await call(app, customer, 'POST', `schedules/${id}/end`);
    assert.match((await readPage('')).json().error.message, /has ended/);
  });

  test('is read in pages', async (t) => {
    const all = await jobsHarness(t, { start: false });
    const customer = await all.customer();
    const app = appOf(all);
    for (let count = 0; count < 5; count += 1)
      await call(app, customer, 'POST', 'jobs', { ...order, schedule: '1d' });
    const ids: string[] = [];
    let cursor = '';
    do {
      const { data, meta } = (
        await call(app, customer, 'GET', `schedules?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      ).json();
      ids.push(...data.map(({ id }: { id: string }) => id));
      cursor = meta.next_cursor ?? '';
    } while (cursor !== '');
    assert.deepEqual([ids.length, new Set(ids).size], [5, 5]);
    assert.deepEqual(ids, ids.toSorted().reverse());
    assert.equal((await call(app, customer, 'GET', 'schedules?cursor=x')).statusCode, 400);
  });

  test('of a platform that a key may not call is not found', async (t) => {
    const all = await jobsHarness(t, { start: false, endpoints });
    const customer = await all.customer();
    const app = appOf(all);
    const order = { endpoint: 'maps/places', inputs: [{ query: 'a' }] };
    const id: string = (await call(app, customer, 'POST', 'jobs', { ...order, schedule: '1d' })).json().data
      .schedule;
    const { secret } = await all.accounts.createKey({
      account: customer.account,
      name: 'limited',
      platforms: ['shortvideo'],
    });
    const list = async (query: string) =>
      (await call(app, { secret }, 'GET', `schedules?limit=2${query}`)).json();
    assert.deepEqual((await list('')).data, []);
    const searchOrder = { endpoint: 'shortvideo/search', inputs: [{ query: 'tea' }] };
    const scheduleIds: string[] = [];
    for (const one of [searchOrder, order, order, searchOrder, order, searchOrder]) {
      const { data } = (await call(app, customer, 'POST', 'jobs', { ...one, schedule: '1d' })).json();
      if (one === searchOrder) scheduleIds.unshift(data.schedule);
    }
    const first = await list('');
    const last = await list(`&cursor=${first.meta.next_cursor}`);
    const ids = ({ data }: { data: { id: string }[] }) => data.map((one) => one.id);
    assert.deepEqual(
      [ids(first), ids(last), last.meta.next_cursor],
      [scheduleIds.slice(0, 2), scheduleIds.slice(2), null],
    );
    assert.equal(codeOf(await call(app, { secret }, 'POST', `schedules/${id}/end`)), 'schedule_not_found');
  });
});
