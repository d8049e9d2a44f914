import assert from 'node:assert/strict';
import { before, describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { verifyWebhook } from '../../../lib/webhook.js';
import type { Job } from '../../../src/service/jobs/job.js';
import { type Authority, authority } from '../../support/authority.js';
import { type Child, start } from '../../support/child-process.js';
import { bodyOf, loopback } from '../../support/loopback.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { awaitJob, type Customer, jobsHarness, linesOf, newHome, numbered, picky } from './harness.js';
import { assertJobsSound, jobProgram, newCustomer } from './processes.js';

const folder = temporaryFolder();
let program: string;
let ca: Authority;
before(async () => {
  program = await jobProgram(folder);
  ca = authority(folder);
});

/** Ends what a killed process left, and holds it against what that process said. */
async function assertTakenUp(t: TestContext, home: string, customer: Customer, output: readonly string[]) {
  assertJobsSound(home);
  const all = await jobsHarness(t, { home, ask: picky });
  try {
    const jobIds = new Map(
      output
        .filter((line) => line.startsWith('made'))
        .map((line) => line.split(' ').slice(1) as [string, string]),
    );
    const jobs = (await all.jobs.store.list(customer.account, 10, undefined)).jobs;
    for (const [, id] of jobIds) assert.ok(jobs.some((job) => job.id === id));
    let keptCount = 0;
    for (const { id, total } of jobs) {
      const job = await awaitJob(all, customer, id);
      const queries =
        total === 7
          ? ['slow0', 'q1', 'bad2', 'q3', 'slow4', 'bad5', 'q6']
          : ['q0', 'hang1', 'bad2', 'hang3', 'q4'];
      const lines = await linesOf(all, customer, id);
      assert.deepEqual(
        lines.map(({ input }) => input.query),
        queries,
      );
      assert.equal(job.completed, lines.filter(({ data }) => data !== undefined).length);
      assert.equal(job.completed + job.failed, total);
      if (total === 7) assert.deepEqual([job.completed, job.status], [5, 'done']);
      if (output.includes('cancelled second') && total === 5) {
        assert.deepEqual([job.completed, job.status], [2, 'cancelled']);
        assert.deepEqual(
          lines.map(({ error }) => error?.code),
          [undefined, 'job_cancelled', 'place_not_found', 'job_cancelled', undefined],
        );
      }
      keptCount += 3 * job.completed;
    }
    assert.equal(await all.credits(customer.account), 100_500 - keptCount);
    assert.deepEqual(all.errors, []);
  } finally {
    await all.close();
  }
  assertJobsSound(home);
}

describe('a process that is killed with jobs running', () => {
  test('before any write, whichever, leaves jobs that the next one ends as they must', async (t) => {
    let kills = 0;
    let done = false;
    const run = async (nth: number) => {
      const home = newHome(t);
      const customer = await newCustomer(home);
      const child = start(program, ['script', home, `${nth}`]);
      const lines = await child.output;
      if (child.process.signalCode === 'SIGKILL') kills += 1;
      else done = lines.includes('done');
      await assertTakenUp(t, home, customer, lines);
    };
    for (let nth = 1; !done && nth < 400; nth += 6) {
      await Promise.all([run(nth), run(nth + 2), run(nth + 4)]);
    }
    assert.equal(done, true);
    assert.ok(kills > 20, `${kills} places to die at`);
  });

  test('at any moment, again and again, loses and doubles nothing', async (t) => {
    const home = newHome(t);
    const customer = await newCustomer(home);
    const received: { readonly delivery: string; readonly job: Job; readonly signed: boolean }[] = [];
    let secret = '';
    const hooks = await loopback(
      t,
      (request, response) => {
        void bodyOf(request).then((body) => {
          const signature = String(request.headers['extract-signature']);
          const signed = verifyWebhook({ body, signature, secret });
          received.push({
            delivery: String(request.headers['extract-delivery']),
            job: JSON.parse(body),
            signed,
          });
          response.end();
        });
      },
      ca.issue('hooks.example'),
    );
    let child: Child | undefined;
    t.after(() => child?.process.kill('SIGKILL'));
    const serve = async () => {
      child = start(program, ['serve', home, ca.file]);
      const port = await child.saying('port ');
      const authorization = `Bearer ${customer.secret}`;
      return async (method: string, url: string, body?: unknown, headers = {}): Promise<unknown> => {
        const response = await fetch(`http://127.0.0.1:${port}/v1${url}`, {
          method,
          headers: {
            authorization,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        assert.ok(response.ok, `${method} ${url} ${response.status}`);
        return ((await response.json()) as { data: unknown }).data;
      };
    };
    const queriesOf = (job: number) =>
      numbered(300).map(
        (query, at) => `${(at + job) % 5 === 0 ? 'slow' : (at + job) % 7 === 0 ? 'bad' : ''}${query}`,
      );
    const moments = [120, 60, 210, 35, 150, 90];
    const ids: string[] = [];
    let call = await serve();
    secret = ((await call('POST', '/webhooks/secret')) as { secret: string }).secret;
    for (const [round, moment] of moments.entries()) {
      // Asked for twice, as by a client that was cut off.
      for (let again = 0; again < 2; again += 1) {
        const inputs = queriesOf(round).map((query) => ({ query }));
        const body = {
          endpoint: 'maps/harbours',
          inputs,
          webhook_url: `https://hooks.example:${hooks.port}/`,
        };
        const job = (await call('POST', '/jobs', body, { 'idempotency-key': `round ${round}` })) as Job;
        if (again === 0) ids.push(job.id);
        else assert.equal(job.id, ids.at(-1));
      }
      await setTimeout(moment);
      child?.process.kill('SIGKILL');
      await child?.output;
      assertJobsSound(home);
      call = await serve();
    }
    let keptCount = 0;
    for (const [round, id] of ids.entries()) {
      let job: Job;
      do {
        job = (await call('GET', `/jobs/${id}`)) as Job;
        await setTimeout(20);
      } while (job.webhook?.state === 'pending');
      assert.deepEqual([job.status, job.webhook?.state], ['done', 'delivered']);
      const mine = received.filter((one) => one.job.id === id);
      assert.ok(mine.length >= 1);
      assert.equal(new Set(mine.map(({ delivery }) => delivery)).size, 1);
      assert.ok(mine.every(({ signed }) => signed));
      assert.deepEqual(mine[0]?.job.completed, job.completed);
      keptCount += 3 * job.completed;
      const queries = queriesOf(round);
      assert.equal(job.failed, queries.filter((query) => query.startsWith('bad')).length);
    }
    child?.process.kill('SIGKILL');
    await child?.output;
    assertJobsSound(home);
    const all = await jobsHarness(t, { home });
    assert.equal(await all.credits(customer.account), 100_500 - keptCount);
    for (const [round, id] of ids.entries()) {
      const lines = await linesOf(all, customer, id);
      assert.deepEqual(
        lines.map(({ input }) => input.query),
        queriesOf(round),
      );
      for (const { input, data, error } of lines) {
        if (input.query?.startsWith('bad')) assert.equal(error?.code, 'place_not_found');
        else assert.deepEqual(data, { echo: input.query });
      }
    }
  });
});
