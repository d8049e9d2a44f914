import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../../lib/runtime/clock.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { openDirectory } from '../../../src/compose/open-store.js';
import { bundle, start } from '../../support/child-process.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { newHome } from './harness.js';
import { assertJobsSound, newCustomer } from './processes.js';

const quarter = 15 * 60_000;
const folder = temporaryFolder();

describe('a process that is killed with schedules running', () => {
  test('doubles no run and loses no later one, nor a change of their history, and the books hold', async (t) => {
    const program = await bundle(folder, 'test/service/jobs/schedule-program.ts', ['better-sqlite3']);
    const home = newHome(t);
    const { account, key } = await newCustomer(home);
    const speed = 1000;
    const clock: Clock = {
      ...systemClock,
      now: () => Math.floor(Date.now() * speed) - 1_700_000_000_000 * (speed - 1),
    };
    const opened = await openDirectory(home, clock, 500);
    const schedule = { every: '15m' };
    const order = { account, key, endpoint: 'maps/harbours', credits: 3, inputs: ['{"query":"a"}'] };
    await opened.jobStores.jobs.create(
      { ...order, webhookUrl: undefined, idempotency: undefined, schedule, lineOptions: { history: true } },
      () => '',
    );
    const [{ id = '' } = {}] = (await opened.jobStores.schedules.list(account, 1, undefined)).schedules;
    await opened.ledger.close();

    const runs = async () => {
      const { jobStores, ledger } = await openDirectory(home, clock, 500);
      const { jobs } = await jobStores.jobs.list(account, 100, undefined);
      const { last_run } = await jobStores.schedules.find(account, id);
      const history = await jobStores.schedules.readHistory(account, id);
      const { changes } = await history.changes({ limit: 1000 });
      await ledger.close();
      const mine = jobs.filter((job) => job.schedule === id);
      const answered = mine.filter(({ completed }) => completed > 0).map((job) => job.id);
      return {
        ...{ mine: mine.map(({ created_at }) => Date.parse(created_at)), last_run },
        ...{ answered: answered.sort(), recorded: changes.map(({ run }) => run).sort() },
      };
    };
    // A quarter of an hour takes 0.9 s: kills before, at and after a run. A busy machine needs more of them.
    for (let rounds = 0; (await runs()).mine.length < 4; rounds += 1) {
      assert.ok(rounds < 10, 'a schedule that is killed again and again goes on');
      for (const moment of [950, 700, 1300, 880, 2000, 905, 40, 1500]) {
        const child = start(program, [home]);
        await child.saying('ready');
        await setTimeout(moment);
        child.process.kill('SIGKILL');
        assert.deepEqual(
          (await child.output).filter((line) => line.startsWith('fault')),
          [],
        );
        assertJobsSound(home);
      }
    }

    const { mine, last_run, answered, recorded } = await runs();
    // Each run found one item: its change is there once its line is, and once.
    assert.ok(answered.length > 0);
    assert.deepEqual(recorded, answered);
    // Each slot of the timetable has at most one run, however many processes were killed while creating it.
    const [first = 0] = mine.toReversed();
    const slots = mine.map((at) => Math.floor((at - first) / quarter));
    assert.equal(new Set(slots).size, slots.length);
    assert.equal(last_run.at, new Date(Math.max(...mine)).toISOString());
  });
});
