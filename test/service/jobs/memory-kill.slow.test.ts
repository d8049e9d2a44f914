import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fingerprint } from '../../../lib/call/cursor.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { fromSource } from '../../support/from-source.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { databaseHarness } from './database-harness.js';
import { awaitJob, type Customer, jobsHarness, linesOf, makeJob, numbered, until } from './harness.js';
import { ChangingSite, type NewsUnderTest, type Rows } from './schedule-news-port.js';

const names = ['c', 'b', 'a'];
const inputs = 40;
const rounds = 6;

interface Place extends Omit<NewsUnderTest, 'clock'>, Rows {
  /** What the program needs to work on the same jobs. */
  readonly args: readonly string[];
  /** Resolves when all that a killed program had sent is done. */
  readonly settled: () => Promise<unknown>;
}

/** A schedule, every second input of which an earlier build has seen an item of; with its first job. */
async function halfSeen(place: Place, customer: Customer) {
  const order = { schedule: { every: '6h' }, lineOptions: { new: true } } as const;
  const job = await makeJob(place, customer, numbered(inputs), order);
  const { schedule = '' } = await place.jobs.store.find(customer.account, job);
  const item = fingerprint('a');
  await place.rows(
    'UPDATE schedule_inputs SET given = $1 WHERE schedule = $2 AND place % 2 = 0 RETURNING 1 AS done',
    [JSON.stringify({ items: [item], ids: { [item]: 'a' } }), schedule],
  );
  return { job, schedule };
}

/** Asserts that a schedule remembers what its ended inputs gave, and of the others what the earlier build did. */
async function assertExact({ rows }: Place, { job, schedule }: Awaited<ReturnType<typeof halfSeen>>) {
  const seen = await rows<{ readonly question: string; readonly id: string }>(
    `SELECT s.question, o.id FROM history_scopes c JOIN history_subjects s ON s.scope = c.scope
     JOIN history_appearances a ON a.scope = s.scope AND a.subject = s.number
     JOIN history_objects o ON o.scope = a.scope AND o.number = a.object WHERE c.name = $1`,
    [`seen:${schedule}`],
  );
  const given = await rows<{ readonly place: number }>(
    'SELECT place FROM schedule_inputs WHERE schedule = $1 AND given IS NOT NULL',
    [schedule],
  );
  const ended = await rows<{ readonly id: string }>(
    `SELECT id FROM usage WHERE job_id = $1 AND status = 'ok'`,
    [job],
  );
  const isEnded = new Set(ended.map(({ id }) => id));
  const isGiven = new Set(given.map(({ place }) => place));
  for (let index = 0; index < inputs; index += 1) {
    const ids = seen.filter(({ question }) => question === String(index)).map(({ id }) => id);
    if (isGiven.has(index)) ids.push('a');
    const expected = isEnded.has(`${job}:${index}`) ? names : index % 2 === 0 ? ['a'] : [];
    assert.deepEqual(ids.toSorted(), expected.toSorted(), `${job}:${index}`);
  }
  return isEnded.size;
}

async function killAgainAndAgain(place: Place) {
  const customer = await place.customer();
  const schedules: Awaited<ReturnType<typeof halfSeen>>[] = [];
  const program = path.join(packageRoot(), 'test/service/jobs/memory-program.ts');
  for (let round = 0; round < rounds; round += 1) {
    schedules.push(await halfSeen(place, customer));
    const child = spawn(process.execPath, [...fromSource, program, ...place.args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (text) => {
      output += String(text);
    });
    const exit = once(child, 'close');
    await Promise.race([once(child.stdout, 'data'), exit]);
    await setTimeout(Math.random() * 600);
    child.kill('SIGKILL');
    await exit;
    assert.equal(output, 'ready\n');
    await place.settled();
    for (const one of schedules) await assertExact(place, one);
  }
  place.jobs.start();
  for (const one of schedules) {
    await awaitJob(place, customer, one.job);
    assert.equal(await assertExact(place, one), inputs);
    for (const [index, { data }] of (await linesOf(place, customer, one.job)).entries()) {
      const found = (data as { readonly name: string }[]).map(({ name }) => name);
      assert.deepEqual(found, index % 2 === 0 ? ['c', 'b'] : names, `${one.job}:${index}`);
    }
  }
}

describe('a process that is killed remembers what stands in lines, and nothing else', () => {
  const site = new ChangingSite();
  site.names = names;

  test('in a data directory', async (t: TestContext) => {
    const all = await jobsHarness(t, { ask: site.ask, start: false });
    const { stores } = all.opened.database;
    await killAgainAndAgain({
      ...{ ...all, pauseMs: 10, args: [all.home], settled: async () => undefined },
      rows: (sql, values) => stores.transaction((queries) => queries.rows(sql, values)),
    });
    assert.deepEqual(all.errors, []);
  });

  test('in a database', { skip: skipWithoutPostgres }, async (t) => {
    const { config, node, rows } = await databaseHarness(t);
    const idle = await node({ ask: site.ask, start: false });
    const query = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'killed'`;
    await killAgainAndAgain({
      ...{ ...idle, rows, args: [idle.home, `${config.url}?application_name=killed`] },
      settled: () => until(async () => (await rows(query)).length === 0, idle.pauseMs),
    });
    assert.deepEqual(idle.errors, []);
  });
});
