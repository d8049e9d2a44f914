import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { postgresSchema } from '../../../lib/database/postgres/table-schema.js';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { sampleDataOf } from '../../../lib/samples.js';
import type { CanaryResult } from '../../../src/service/health/canary.js';
import { StoredHealth } from '../../../src/service/health/health-log.js';
import { healthSchema } from '../../../src/service/health/health-schema.js';
import { HealthWatch } from '../../../src/service/health/health-watch.js';
import { FakeClock } from '../../support/fake-clock.js';
import { type OpenTestDatabase, openTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';

const endpoint = endpoints.find(({ path }) => path === 'maps/place') ?? assert.fail();
const minuteMs = 60_000;

const refused: CanaryResult = {
  ...{ at: 0, outcome: 'refused', code: 'platform_blocked', problems: [], filled: 0, fields: 0 },
  ...{ source: 'network', seconds: 1 },
};

describe('servers that share their states in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  let database: OpenTestDatabase;
  before(async () => {
    database = await openTestDatabase([postgresSchema(healthSchema)]);
  });
  after(() => database.close());

  /** Some servers of an endpoint that nobody has asked yet. */
  async function servers(count: number) {
    await database.postgres.write((queries) => queries.run('DELETE FROM health_now'));
    const clock = new FakeClock(Date.UTC(2026, 10, 22, 9));
    const changes: string[][] = [];
    const start = async () => {
      const own: string[] = [];
      changes.push(own);
      const watch = new HealthWatch({
        ...{ endpoints, clock, canaryMinutes: 60, docsBase: 'https://x.test' },
        store: new StoredHealth(database.postgres, clock),
        onState: ({ state }) => own.push(state),
        onError: (cause) => assert.fail(cause as Error),
      });
      await watch.start();
      return watch;
    };
    const watches: HealthWatch[] = [];
    for (let n = 0; n < count; n += 1) watches.push(await start());
    /** A minute of all of them, one after the other. */
    const pass = async () => {
      clock.set(clock.now() + minuteMs);
      for (const watch of watches) await watch.tick();
    };
    return { clock, changes, watches, pass, start };
  }

  test('judge by the calls of all, within a minute of each other', async () => {
    const { watches, changes, pass, clock } = await servers(3);
    const [one, other, idle] = watches;
    // Neither alone has seen enough.
    one?.onFetchFailed(endpoint, new ExtractError('platform_blocked'));
    other?.onFetchFailed(endpoint, new ExtractError('platform_timeout'));
    await pass();
    await pass();
    const { since } = watches[0]?.report(endpoint) ?? {};
    for (const watch of watches) {
      const lastHour = { refused: 0.5, unreachable: 0.5 };
      assert.partialDeepStrictEqual(watch.report(endpoint), { state: 'refused', since, lastHour });
    }
    const codes = idle?.errors(endpoint).map(({ code }) => code);
    assert.deepEqual(codes, ['platform_timeout', 'platform_blocked']);
    assert.deepEqual(changes, [['refused'], ['refused'], ['refused']]);
    for (let call = 0; call < 8; call += 1) idle?.onFetched(endpoint, await sampleDataOf(endpoint));
    await pass();
    await pass();
    const states = () => watches.map((watch) => watch.report(endpoint).state);
    assert.deepEqual(states(), ['ok', 'ok', 'ok']);
    // An hour later nothing of it counts.
    clock.set(clock.now() + 60 * minuteMs);
    await pass();
    assert.deepEqual(states(), ['unknown', 'unknown', 'unknown']);
  });

  test('share their canaries, also with a server that starts later', async () => {
    const { watches, clock, pass, start } = await servers(2);
    const [one, other] = watches;
    one?.canary(endpoint, { ...refused, at: clock.now() });
    await one?.publish();
    await other?.tick();
    assert.equal(other?.report(endpoint).state, 'refused');
    assert.equal(other?.report(endpoint).canary?.at, clock.now());
    const late = await start();
    assert.equal(late.report(endpoint).state, 'refused');
    await pass();
    await late.tick();
    other?.canary(endpoint, { ...refused, outcome: 'ok', code: null, at: clock.now() });
    await pass();
    await pass();
    await late.tick();
    const lateStates = [one, other, late].map((watch) => watch?.report(endpoint).state);
    assert.deepEqual(lateStates, ['ok', 'ok', 'ok']);
  });
});
