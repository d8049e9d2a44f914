import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Job } from '../../../src/service/jobs/job.js';
import { authority } from '../../support/authority.js';
import { start } from '../../support/child-process.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { jobsHarness, linesOf, newHome, numbered } from './harness.js';
import { assertJobsSound, jobProgram, newCustomer } from './processes.js';

const folder = temporaryFolder();
const { file: ca } = authority(folder);
let program: string;
before(async () => {
  program = await jobProgram(folder);
});

/** Starts a separate server process; `requests` are the inputs that it worked on. */
async function server(home: string) {
  const requests: string[] = [];
  const child = start(program, [home, ca], (line) => {
    if (line.startsWith('requests ')) requests.push(line.slice(9));
  });
  const port = await child.saying('port ');
  return {
    requests,
    url: `http://127.0.0.1:${port}/v1`,
    async kill() {
      child.process.kill('SIGKILL');
      await child.output;
    },
  };
}

test('of two servers over one data directory one runs the jobs, and the other takes over when it is killed', async (t) => {
  const home = newHome(t);
  const customer = await newCustomer(home);
  const [first, second] = [await server(home), await server(home)];
  t.after(() => Promise.all([first.kill(), second.kill()]));
  const authorization = `Bearer ${customer.secret}`;
  const queries = numbered(900).map((query, at) => (at === 300 ? `gate${query}` : query));
  const body = JSON.stringify({
    endpoint: 'maps/harbours',
    inputs: queries.map((query) => ({ query })),
  });
  // The waiting server receives the request. It accepts the job, shows it and sends its lines, but works on none of it.
  const reply = await fetch(`${second.url}/jobs`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body,
  });
  assert.equal(reply.status, 202);
  const { id } = ((await reply.json()) as { data: Job }).data;
  const following = fetch(`${second.url}/jobs/${id}/results?wait=true`, { headers: { authorization } }).then(
    (answer) => answer.text(),
  );
  const show = async () => {
    const answer = await fetch(`${second.url}/jobs/${id}`, { headers: { authorization } });
    return ((await answer.json()) as { data: Job }).data;
  };
  while ((await show()).completed < 100) await setTimeout(10);
  assert.ok(first.requests.length >= 100);
  assert.deepEqual(second.requests, []);
  // Read before the kill: the second server may start while the books are checked.
  const { completed } = await show();
  assert.ok(completed < 900, `${completed}`);
  await first.kill();
  assertJobsSound(home);
  writeFileSync(path.join(home, 'gate'), '');
  const text = await following;
  const job = await show();
  assert.deepEqual([job.status, job.completed, job.failed], ['done', 900, 0]);
  assert.deepEqual(
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).input.query),
    queries,
  );
  // What had ended is not requested again; what was in progress is.
  assert.equal(new Set([...first.requests, ...second.requests]).size, 900);
  assert.ok(second.requests.length <= 900 - completed);
  await second.kill();
  assertJobsSound(home);
  const all = await jobsHarness(t, { home });
  // A server that waits for another one's lease stops without waiting for it.
  const waiting = await jobsHarness(t, { home });
  await waiting.close();
  assert.equal((await linesOf(all, customer, id)).length, 900);
  assert.equal(await all.credits(customer.account), 100_500 - 2700);
});
