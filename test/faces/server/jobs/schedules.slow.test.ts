import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../../lib/endpoints.js';
import { awaitJob } from '../../../service/jobs/harness.js';
import { clientOf, codeOf, idsInPages, idsOf, jobsApp, refusalOf } from './jobs-app.js';

const order = { endpoint: 'maps/harbours', inputs: [{ query: 'a' }, { query: 'b' }] };

describe('POST /v1/jobs with a schedule', () => {
  test('creates the first job immediately with the schedule, once per idempotency key', async (t) => {
    const { get, post } = await jobsApp(t, { start: false });
    const send = (schedule: string) => post('/v1/jobs', { ...order, schedule }, { 'idempotency-key': 'k' });
    const [first, second] = [await send('6h'), await send('6h')];
    assert.equal(first.statusCode, 202);
    assert.equal(second.payload, first.payload);
    const { data } = (await get('/v1/schedules')).json();
    assert.equal(data.length, 1);
    const [{ id, every, credits_per_run, runs_in_30_days, credits_in_30_days, last_run }] = data;
    assert.deepEqual([every, credits_per_run, runs_in_30_days, credits_in_30_days], ['6h', 6, 120, 720]);
    assert.deepEqual([id, last_run.job], [first.json().data.schedule, first.json().data.id]);
    assert.equal(codeOf(await send('12h')), 'idempotency_mismatch');
  });

  test('refuses an invalid or too frequent timetable, and creates nothing', async (t) => {
    const { get, post } = await jobsApp(t, { start: false });
    const timetables = ['', 'soon', '5m', '* * * * *', '0,5 6 * * *', 7, { every: '6h' }];
    for (const wrong of [
      ...timetables.map((schedule) => ({ schedule })),
      ...[{ schedule: 'monday 08:00', timezone: 'Mars/Base' }, { timezone: 'UTC' }],
    ]) {
      const answer = await post('/v1/jobs', { ...order, ...wrong });
      assert.deepEqual(refusalOf(answer), [400, 'invalid_parameter'], JSON.stringify(wrong));
    }
    for (const url of ['/v1/schedules', '/v1/jobs']) assert.deepEqual((await get(url)).json().data, []);
  });
});

describe('/v1/schedules', () => {
  test('shows, pauses, resumes and ends a schedule, to its account alone', async (t) => {
    const { all, app, get, post } = await jobsApp(t, { start: false });
    const stranger = clientOf(app, await all.customer());
    const made = (await post('/v1/jobs', { ...order, schedule: '0 6 * * *' })).json().data;
    const url = `/v1/schedules/${made.schedule}`;
    const zoned = { ...order, schedule: 'monday 08:00', timezone: 'Europe/Berlin' };
    const berlin = (await post('/v1/jobs', zoned)).json().data.schedule;
    assert.equal((await get(`/v1/schedules/${berlin}`)).json().data.timezone, 'Europe/Berlin');
    const { data, meta } = (await get(`${url}/runs?limit=1`)).json();
    assert.deepEqual([data[0].job, data[0].missed, meta.next_cursor], [made.id, 0, null]);
    assert.deepEqual(refusalOf(await post(`${url}/run`)), [409, 'job_not_finished']);
    for (const [action, status] of [
      ['pause', 'paused'],
      ['resume', 'active'],
      ['end', 'ended'],
      ['end', 'ended'],
    ] as const) {
      const answer = await post(`${url}/${action}`);
      assert.deepEqual([answer.statusCode, answer.json().data.status], [200, status]);
    }
    assert.deepEqual(refusalOf(await post(`${url}/resume`)), [409, 'schedule_ended']);
    assert.equal((await get(url)).json().data.status, 'ended');
    for (const answer of [await stranger.get(url), await stranger.post(`${url}/end`)])
      assert.deepEqual(refusalOf(answer), [404, 'schedule_not_found']);
    assert.equal((await clientOf(app, { secret: 'none' }).get('/v1/schedules')).statusCode, 401);
  });

  test('returns the changes of its runs, in pages, only to its account and platform', async (t) => {
    const names = ['a', 'b', 'c'];
    const source = { url: 'https://maps.example/x', author: null, fetched_at: '2026-01-01T00:00:00.000Z' };
    const { all, app, customer, get, post } = await jobsApp(t, {
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
    const kept = { inputs: [{ query: 'a' }], schedule: '6h', history: true };
    const reply = await post('/v1/jobs', { ...order, ...kept });
    const { schedule, id: job, history } = reply.json().data;
    assert.deepEqual([reply.statusCode, history], [202, true]);
    await awaitJob(all, customer, job);
    const readPage = async (query: string, client: Pick<ReturnType<typeof clientOf>, 'get'> = { get }) =>
      client.get(`/v1/schedules/${schedule}/changes?${query}`);
    const first = (await readPage('limit=2')).json();
    const [change] = first.data;
    assert.deepEqual(change, {
      ...{ number: change.number, event: 'first', object: change.object, id: 'a', url: source.url },
      ...{ subject: 'a', endpoint: 'maps/harbours', field: null, before: null, after: null },
      ...{ fetched_at: source.fetched_at, run: job },
    });
    const next = `cursor=${first.meta.next_cursor}`;
    const second = (await readPage(`limit=2&${next}`)).json();
    assert.deepEqual([[...idsOf(first), ...idsOf(second)], second.meta.next_cursor], [names, null]);
    assert.equal((await readPage('since=2025-12-31')).json().data.length, 3);
    assert.deepEqual((await readPage('since=2026-01-01T00:00:01Z')).json().data, []);
    for (const wrong of ['since=soon', 'since=2026-13-01', 'limit=0', `${next}&field=berths`])
      assert.equal((await readPage(wrong)).statusCode, 400, wrong);
    const { account } = customer;
    const limited = await all.accounts.createKey({ account, name: 'limited', platforms: ['shortvideo'] });
    for (const by of [await all.customer(), limited])
      assert.equal(codeOf(await readPage('', clientOf(app, by))), 'schedule_not_found');
    const plain = (await post('/v1/jobs', { ...order, schedule: '6h' })).json().data.schedule;
    assert.match((await get(`/v1/schedules/${plain}/changes`)).json().error.message, /keeps no history/);
    await post(`/v1/schedules/${schedule}/end`);
    assert.match((await readPage('')).json().error.message, /has ended/);
  });

  test('is read in pages, of which a key shows those of its platforms', async (t) => {
    const { all, app, customer, get, post } = await jobsApp(t, { start: false, endpoints });
    const place = { endpoint: 'maps/places', inputs: [{ query: 'a' }], schedule: '1d' };
    const search = { endpoint: 'shortvideo/search', inputs: [{ query: 'tea' }], schedule: '1d' };
    const made: string[] = [];
    const searches: string[] = [];
    for (const one of [place, search, place, place, search, place, search]) {
      const { schedule } = (await post('/v1/jobs', one)).json().data;
      made.unshift(schedule);
      if (one === search) searches.unshift(schedule);
    }
    const { account } = customer;
    const key = await all.accounts.createKey({ account, name: 'limited', platforms: ['shortvideo'] });
    const limited = clientOf(app, key);
    for (const [client, expected] of [
      [{ get }, made],
      [limited, searches],
    ] as const)
      assert.deepEqual((await idsInPages(client.get, '/v1/schedules?limit=2')).listed, expected);
    assert.equal((await get('/v1/schedules?cursor=x')).statusCode, 400);
    const foreign = await limited.post(`/v1/schedules/${made.at(-1)}/end`);
    assert.equal(codeOf(foreign), 'schedule_not_found');
  });
});
