import assert from 'node:assert/strict';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { aCoverage } from '../../support/coverage.js';
import { aHarbour } from '../../support/invented-rows.js';
import type { TimedJobs } from './database-harness.js';
import { answerOf, type Customer, until } from './harness.js';

/** Makes the next run of a six-hour schedule when it is due, and resolves with its job. */
export async function nextRun(
  { jobs, clock, pauseMs }: Pick<TimedJobs, 'jobs' | 'clock' | 'pauseMs'>,
  { account }: Customer,
  schedule: string,
): Promise<string> {
  const lastJob = async () => (await jobs.schedules.find(account, schedule)).last_run.job;
  const before = await lastJob();
  clock.set(clock.now() + 6 * 3_600_000);
  jobs.wake();
  await until(async () => (await lastJob()) !== before, pauseMs);
  return (await lastJob()) ?? '';
}

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
      ...{ id, url: home === null ? null : `${home}/${id}`, author: null, position: place + 1 },
      ...{ fetched_at: at, route: null },
    }));
    return {
      ...answerOf(endpoint.many ? items : items[0], requestId, at),
      coverage: aCoverage({ ended: this.isEnd ? 'end' : 'unknown' }),
      sources: JSON.stringify(sources),
    };
  };
}
