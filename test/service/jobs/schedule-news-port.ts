import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { fingerprint } from '../../../lib/call/cursor.js';
import { contentKey } from '../../../src/files/result-files/content-key.js';
import type { Jobs } from '../../../src/service/jobs/open-jobs.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { aCoverage } from '../../support/coverage.js';
import type { FakeClock } from '../../support/fake-clock.js';
import { aHarbour } from '../../support/invented-rows.js';
import type { DatabaseHarness } from './database-harness.js';
import { awaitJob, type Customer, linesOf, makeJob, until } from './harness.js';

/** Jobs over a store, with a clock that the test moves. */
export interface NewsUnderTest {
  readonly jobs: Jobs;
  readonly clock: FakeClock;
  readonly customer: () => Promise<Customer>;
  readonly pauseMs: number;
}

/** Runs a statement in the database of jobs. */
export type Rows = Pick<DatabaseHarness, 'rows'>;

/** Makes the next run of a schedule when it is due, and resolves with its job. */
export async function nextRun(
  { jobs, clock, pauseMs }: NewsUnderTest,
  { account }: Customer,
  schedule: string,
): Promise<string> {
  const before = (await jobs.schedules.find(account, schedule)).last_run.job;
  clock.set(clock.now() + 6 * hour);
  jobs.wake();
  let last = before;
  await until(async () => {
    last = (await jobs.schedules.find(account, schedule)).last_run.job;
    return last !== before;
  }, pauseMs);
  return last ?? '';
}

interface NewsLine {
  readonly data: unknown;
  readonly changed?: unknown;
  readonly left_out?: number;
  readonly removed?: readonly string[];
}

const hour = 3_600_000;

/** A site whose lists and objects the test changes between two runs. */
export class ChangingSite {
  names: readonly string[] = [];
  berths = 1;
  /** Whether its lists end with their first page. */
  isEnd = false;
  at = '2026-01-01T00:00:00.000Z';
  /** Base URL of the items' pages; null if items have no URL. */
  home: string | null = null;

  readonly ask: CallFunction = async (endpoint, params, { requestId }) => {
    assert.equal(params.sources, true);
    const { at, home } = this;
    const names = endpoint.many ? this.names : ['one'];
    const items = names.map((name) => aHarbour({ name, berths: this.berths }));
    const sources = names.map((id, place) => ({
      id,
      url: home === null ? null : `${home}/${id}`,
      author: null,
      position: place + 1,
      fetched_at: at,
      route: null,
    }));
    return {
      source: 'platform',
      coverage: aCoverage({ ended: this.isEnd ? 'end' : 'unknown' }),
      json: JSON.stringify(endpoint.many ? items : items[0]),
      sources: JSON.stringify(sources),
      meta: {
        ...{ request_id: requestId, credits_charged: 3, credits_remaining: 0, cached: false },
        ...{ fetched_at: at, next_cursor: null },
      },
    };
  };
}

/** What every store promises of schedules that give what is new. */
export function scheduleNewsSuite(
  open: (t: TestContext, ask: CallFunction) => Promise<NewsUnderTest & Rows>,
): void {
  /** Makes a schedule over a site, and functions that give the lines of its runs. */
  async function scheduled(
    t: TestContext,
    endpoint: string,
    names: readonly string[] = [],
    more: object = {},
  ) {
    const site = new ChangingSite();
    site.names = names;
    const under = await open(t, site.ask);
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
  const namesOf = ({ data }: NewsLine) => (data as { name: string }[]).map(({ name }) => name);

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

  const forgetMemory = async ({ rows }: Rows) => {
    for (const table of ['scopes', 'runs', 'subjects', 'objects', 'appearances'])
      await rows(`DELETE FROM history_${table} RETURNING 1 AS done`);
  };
  const giveEarlier = async ({ rows }: Rows, schedule: string, memory: object) => {
    const sql = 'UPDATE schedule_inputs SET given = $1 WHERE schedule = $2 RETURNING 1 AS done';
    await rows(sql, [JSON.stringify(memory), schedule]);
  };

  test('items that an earlier build remembered are not new again', async (t) => {
    const { first, next, schedule, site, under } = await scheduled(t, 'maps/harbours', ['a', 'b']);
    await first();
    await forgetMemory(under);
    const items = ['a', 'b', 'z'].map(fingerprint);
    const ids = Object.fromEntries(['a', 'b'].map((id) => [fingerprint(id), id]));
    await giveEarlier(under, schedule, { items: [...items, contentKey(aHarbour({ name: 'n' }))], ids });
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
    await forgetMemory(under);
    await giveEarlier(under, schedule, { object: aHarbour({ name: 'one', berths: 1 }) });
    assert.equal((await next()).data, null);
    site.berths = 2;
    assert.deepEqual((await next()).changed, { berths: [1, 2] });
  });

  test('equal inputs each return their new items', async (t) => {
    const site = new ChangingSite();
    const under = await open(t, site.ask);
    site.names = ['a'];
    const customer = await under.customer();
    const order = { schedule: { every: '6h' }, lineOptions: { new: true } } as const;
    const job = await makeJob(under, customer, ['a', 'a'], order);
    await awaitJob(under, customer, job);
    const lines = (await linesOf(under, customer, job)) as unknown as readonly NewsLine[];
    assert.deepEqual(lines.map(namesOf), [['a'], ['a']]);
  });
}
