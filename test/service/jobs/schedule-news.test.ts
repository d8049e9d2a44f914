import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { fingerprint } from '../../../lib/call/cursor.js';
import { contentKey } from '../../../src/files/result-files/content-key.js';
import { aHarbour } from '../../support/invented-rows.js';
import { ChangingSite, nextRun } from './changing-site.js';
import { jobKinds, type TimedJobs } from './database-harness.js';
import { appOf, awaitJob, jobsHarness, linesOf, makeJob } from './harness.js';

interface NewsLine {
  readonly data: unknown;
  readonly changed?: unknown;
  readonly left_out?: number;
  readonly removed?: readonly string[];
}

const namesOf = ({ data }: NewsLine) => (data as { name: string }[]).map(({ name }) => name);

for (const { where, skip, open } of jobKinds) {
  describe(`schedules of ${where} give what is new`, { skip }, () => {
    /** Makes a schedule over a site, and functions that give the lines of its runs. */
    async function scheduled(t: TestContext, endpoint: string, names: readonly string[] = [], more = {}) {
      const site = new ChangingSite();
      site.names = names;
      const under = await open(t, { ask: site.ask });
      const { jobs } = under;
      const customer = await under.customer();
      const order = { endpoint, schedule: { every: '6h' }, lineOptions: { new: true, ...more } as const };
      const inputs = [endpoint === 'maps/harbour' ? '{"id":"one"}' : '{"query":"a"}'];
      let last = await makeJob(under, customer, [], { inputs, ...order });
      const first = async (): Promise<NewsLine> => {
        await awaitJob(under, customer, last);
        return (await linesOf(under, customer, last))[0] as NewsLine;
      };
      const { schedule = '' } = await jobs.store.find(customer.account, last);
      const next = async () => {
        last = await nextRun(under, customer, schedule);
        return first();
      };
      return { under, site, schedule, first, next };
    }
    test('a run returns only new items, and counts the others', async (t) => {
      const { first, next, site } = await scheduled(t, 'maps/harbours', ['a', 'b']);
      assert.deepEqual([namesOf(await first()), (await first()).left_out], [['a', 'b'], 0]);
      site.names = ['c', 'a', 'b'];
      const second = await next();
      assert.deepEqual([namesOf(second), second.left_out, 'sources' in second], [['c'], 2, false]);
      // What was not on the page of one run is no news when it comes back.
      site.names = ['b'];
      assert.deepEqual(namesOf(await next()), []);
      site.names = ['a', 'd'];
      assert.deepEqual(namesOf(await next()), ['d']);
    });

    test('a run reports the removed items of a complete list', async (t) => {
      const { first, next, site } = await scheduled(t, 'maps/harbours', ['a', 'b', 'c'], {
        when: 'name != "d"',
      });
      await first();
      site.names = ['a', 'b'];
      assert.equal((await next()).removed, undefined);
      site.isEnd = true;
      site.names = ['d', 'a'];
      const third = await next();
      assert.deepEqual([namesOf(third), third.left_out, third.removed?.toSorted()], [[], 2, ['b', 'c']]);
      site.names = ['b', 'd', 'a'];
      const fourth = await next();
      assert.deepEqual([namesOf(fourth), fourth.removed], [['b'], undefined]);
    });

    test('an item is new once, whether it meets the condition or not', async (t) => {
      const { first, next, site } = await scheduled(t, 'maps/harbours', ['a', 'b'], { when: 'name == "a"' });
      assert.deepEqual([namesOf(await first()), (await first()).left_out], [['a'], 1]);
      site.names = ['a', 'b'];
      const second = await next();
      assert.deepEqual([namesOf(second), second.left_out], [[], 2]);
    });

    test('a changed object is reported with each field before and after', async (t) => {
      const { first, next, site } = await scheduled(t, 'maps/harbour');
      assert.equal((await first()).changed, undefined);
      assert.deepEqual([(await next()).data, (await next()).left_out], [null, 1]);
      site.berths = 2;
      const changed = await next();
      assert.deepEqual(changed.changed, { berths: [1, 2] });
      assert.equal((changed.data as { berths: number }).berths, 2);
      assert.equal((await next()).data, null);
    });

    /** Replaces what is remembered by what an earlier build remembered. */
    async function rememberAsEarlier({ rows }: TimedJobs, schedule: string, memory: object) {
      for (const table of ['scopes', 'runs', 'subjects', 'objects', 'appearances'])
        await rows(`DELETE FROM history_${table} RETURNING 1 AS done`);
      const sql = 'UPDATE schedule_inputs SET given = $1 WHERE schedule = $2 RETURNING 1 AS done';
      await rows(sql, [JSON.stringify(memory), schedule]);
    }

    test('items that an earlier build remembered are not new again', async (t) => {
      const { first, next, schedule, site, under } = await scheduled(t, 'maps/harbours', ['a', 'b']);
      await first();
      const items = ['a', 'b', 'z'].map(fingerprint);
      const ids = Object.fromEntries(['a', 'b'].map((id) => [fingerprint(id), id]));
      await rememberAsEarlier(under, schedule, {
        items: [...items, contentKey(aHarbour({ name: 'n' }))],
        ids,
      });
      Object.assign(site, { names: ['c', 'a'], isEnd: true });
      const second = await next();
      assert.deepEqual([namesOf(second), second.left_out, second.removed], [['c'], 1, ['b']]);
      assert.deepEqual(await under.rows('SELECT given FROM schedule_inputs'), [{ given: null }]);
      site.names = ['c', 'a', 'b'];
      assert.deepEqual(namesOf(await next()), ['b']);
    });

    test('an object is compared with what an earlier build remembered', async (t) => {
      const { first, next, schedule, site, under } = await scheduled(t, 'maps/harbour');
      await first();
      await rememberAsEarlier(under, schedule, { object: aHarbour({ name: 'one', berths: 1 }) });
      assert.equal((await next()).data, null);
      site.berths = 2;
      assert.deepEqual((await next()).changed, { berths: [1, 2] });
    });

    test('equal inputs each return their new items', async (t) => {
      const site = new ChangingSite();
      site.names = ['a'];
      const under = await open(t, { ask: site.ask });
      const customer = await under.customer();
      const order = { schedule: { every: '6h' }, lineOptions: { new: true } } as const;
      const job = await makeJob(under, customer, ['a', 'a'], order);
      await awaitJob(under, customer, job);
      const lines = (await linesOf(under, customer, job)) as unknown as readonly NewsLine[];
      assert.deepEqual(lines.map(namesOf), [['a'], ['a']]);
    });
  });
}

test('a job without a schedule cannot give what is new', async (t) => {
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
