import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { observationOf } from '../../../src/lines/memory/observation.js';
import type { LineOptions } from '../../../src/service/jobs/job.js';
import { refusal } from '../../ledger/ledger-port.js';
import { ChangingSite, nextRun } from './changing-site.js';
import { jobKinds } from './database-harness.js';
import { directorySlices } from './directory-stores.js';
import { awaitJob, jobsHarness, linesOf, makeJob, rows } from './harness.js';

const day = 24 * 3_600_000;

for (const { where, skip, open } of jobKinds) {
  describe(`schedules of ${where} keep a history`, { skip }, () => {
    /** Makes a schedule with a history, whose first run has ended. */
    async function scheduled(t: TestContext, site: ChangingSite, endpoint: string, more: LineOptions = {}) {
      const under = await open(t, { ask: site.ask });
      const { jobs, clock } = under;
      const customer = await under.customer();
      const { account } = customer;
      site.at = new Date(clock.now()).toISOString();
      const lineOptions = { history: true, ...more } as const;
      const inputs = [endpoint === 'maps/harbour' ? '{"id":"one"}' : '{"query":"a"}'];
      const order = { endpoint, inputs, schedule: { every: '6h' }, lineOptions };
      const first = await makeJob(under, customer, [], order);
      await awaitJob(under, customer, first);
      const { schedule = '' } = await jobs.store.find(account, first);
      return {
        ...{ jobs, clock, account, schedule, first },
        changes: async (query = {}) => {
          const history = await jobs.schedules.readHistory(account, schedule);
          const { changes } = await history.changes(query);
          return changes.map(({ event, id, field, before, after, run }) => ({
            ...{ run, what: [event, id, ...(field === null ? [] : [field, before, after])].join(' ') },
          }));
        },
        /** Lets it run once more, and resolves with its job and its line. */
        async next() {
          site.at = new Date(clock.now() + 6 * 3_600_000).toISOString();
          const job = await nextRun(under, customer, schedule);
          await awaitJob(under, customer, job);
          return { job, line: (await linesOf(under, customer, job))[0] as object };
        },
      };
    }
    const kindsOf = (changes: readonly { readonly what: string }[]) => changes.map(({ what }) => what);

    test('each run records what it saw, with new, changed and removed items, whatever its lines leave out', async (t) => {
      const site = new ChangingSite();
      Object.assign(site, { names: ['a', 'b'], isEnd: true });
      const { jobs, changes, next, account, schedule, first } = await scheduled(t, site, 'maps/harbours', {
        new: true,
        when: 'name == "nowhere"',
      });
      assert.deepEqual(await changes(), [
        { run: first, what: 'first a' },
        { run: first, what: 'first b' },
      ]);
      Object.assign(site, { names: ['c', 'a'], berths: 2 });
      const { job, line } = await next();
      assert.deepEqual({ ...line, input: 0 }, { input: 0, data: [], removed: ['b'], left_out: 2 });
      const second = ['new c', 'changed a berths 1 2', 'removed b'];
      assert.deepEqual((await changes()).slice(2), [...second.map((what) => ({ run: job, what }))]);
      // Nothing moved: nothing is added.
      await next();
      assert.equal((await changes()).length, 5);
      assert.deepEqual(kindsOf(await changes({ field: 'berths' })), ['changed a berths 1 2']);
      const page = await (await jobs.schedules.readHistory(account, schedule)).changes({ limit: 4 });
      assert.deepEqual(kindsOf(await changes({ cursor: page.next })), ['removed b']);
    });

    test('old changes are deleted, and the last values stay', async (t) => {
      const site = new ChangingSite();
      const { jobs, changes, next, clock } = await scheduled(t, site, 'maps/harbour');
      site.berths = 2;
      await next();
      await jobs.schedules.pruneChanges(clock.now() - 3_600_000);
      assert.deepEqual(kindsOf(await changes()), ['changed one berths 1 2']);
      await jobs.schedules.pruneChanges(clock.now() + day);
      assert.deepEqual(await changes(), []);
      site.berths = 3;
      await next();
      assert.deepEqual(kindsOf(await changes()), ['changed one berths 2 3']);
    });

    test('the history ends with its schedule, and other accounts cannot read it', async (t) => {
      const site = new ChangingSite();
      const { jobs, account, schedule } = await scheduled(t, site, 'maps/harbour');
      await assert.rejects(jobs.schedules.readHistory('acc_other', schedule), refusal('schedule_not_found'));
      await jobs.schedules.end(account, schedule);
      await assert.rejects(jobs.schedules.readHistory(account, schedule), refusal('invalid_parameter'));
    });
  });
}

describe('the history of schedules in SQLite', () => {
  test('a line and its changes are stored together or not at all', async (t) => {
    const all = await jobsHarness(t, { start: false });
    const { stores } = all.opened.database;
    const customer = await all.customer();
    const order = { endpoint: 'maps/harbour', schedule: { every: '6h' } } as const;
    const lineOptions = { history: true } as const;
    const [endpoint] = rows.filter(({ path }) => path === 'maps/harbour');
    assert.ok(endpoint);
    const slices = directorySlices(all.opened.jobStores, all.clock);
    const commit = async (id: string, index: number) => {
      const json = JSON.stringify({ name: `harbour ${index}` });
      const outcome = { json, source: 'platform', calls: 1 } as const;
      const observed = observationOf(endpoint, { id: `x${index}` }, true, outcome, index + 1);
      const ending = { status: 'ok', cached: false, credits: 3 } as const;
      return slices.commit(id, [{ index, ending, observed, line: Buffer.from('{}\n') }]);
    };
    const count = () =>
      stores
        .read((queries) => queries.rows('SELECT number FROM history_changes'))
        .then(({ length }) => length);
    const job = await makeJob(all, customer, ['a', 'b', 'c'], { ...order, lineOptions });
    await commit(job, 0);
    assert.equal(await count(), 1);
    // The same input ends once: neither its line nor its change is there twice.
    assert.equal(await commit(job, 0), 'kept');
    assert.equal(await count(), 1);
    await commit(job, 1);
    assert.equal(await count(), 2);
    const { schedule = '' } = await all.jobs.store.find(customer.account, job);
    await all.jobs.schedules.end(customer.account, schedule);
    await commit(job, 2);
    await all.jobs.schedules.removeEnded();
    assert.equal(await count(), 0);
  });

  test('deleting the account deletes the memory', async (t) => {
    const all = await jobsHarness(t, { ask: new ChangingSite().ask });
    const { stores } = all.opened.database;
    const customer = await all.customer();
    const { account } = customer;
    const lineOptions = { history: true, new: true } as const;
    const order = { endpoint: 'maps/harbours', schedule: { every: '6h' }, lineOptions };
    await awaitJob(all, customer, await makeJob(all, customer, ['a'], order));
    const scopes = () => stores.read((queries) => queries.rows('SELECT name FROM history_scopes'));
    assert.equal((await scopes()).length, 2);
    await all.accounts.delete(account);
    await all.jobs.forgetDeleted();
    assert.deepEqual(await scopes(), []);
  });
});
