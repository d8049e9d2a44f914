import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { signWebhook } from '../../../../lib/webhook.js';
import { listen } from '../../../../src/faces/cli/jobs/listen.js';
import { kindOfName } from '../../../../src/files/result-files/file-kind.js';
import type { CallFunction } from '../../../../src/service/jobs/runner/run-input.js';
import {
  awaitJob,
  type JobsHarnessOptions,
  makeJob,
  numbered,
  picky,
  rows,
} from '../../../service/jobs/harness.js';
import { argv, assertExit, errorOf } from '../../../support/cli.js';
import { ndjsonText, ndjsonValues } from '../../../support/ndjson.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { jobsServer } from '../jobs-server.js';

const folder = temporaryFolder();

const served = (t: TestContext, options: JobsHarnessOptions = {}) =>
  jobsServer(t, folder, { ask: picky, ...options });

const ndjson = (queries: readonly string[]) => ndjsonText(queries.map((query) => ({ query })));

describe('extract jobs', () => {
  test('makes a job, waits for it, shows it and writes its results', async (t) => {
    const { run, data, customer, all } = await served(t);
    const file = path.join(folder, 'queries.csv');
    writeFileSync(file, 'query,max_depth\nharbour,5\nbad place,7\n');
    const made = assertExit(await run(argv`jobs create google-maps/harbours ${file} --wait`), 7);
    const job = JSON.parse(made.out).data;
    // The ID is alone on its line, and was printed before any waiting.
    assert.equal(made.err, `${job.id}\n`);
    assert.deepEqual([job.status, job.completed, job.failed], ['done', 1, 1]);
    assert.deepEqual(await data(argv`jobs show ${job.id}`), job);
    assert.deepEqual(await data(argv`jobs list`), [job]);
    assertExit(await run(argv`jobs wait ${job.id}`), 7);
    const results = argv`jobs results ${job.id}`;
    for (const kind of ['ndjson', 'csv', 'xlsx', 'sqlite', 'parquet']) {
      const output = path.join(folder, `${job.id}.${kind}`);
      assert.equal(assertExit(await run([...results, '-o', output]), 0).out, '');
      assert.equal(kindOfName(output), kind);
      assert.ok(statSync(output).size > 0);
      assertExit(await run([...results, '-o', output]), 2, /exists/);
    }
    assertExit(await run(argv`${results} -o a.csv --follow`), 2);
    for (const follow of [[], ['--follow']]) {
      const [first, second] = ndjsonValues(assertExit(await run([...results, ...follow]), 0).out);
      assert.deepEqual(first.data.echo, first.input);
      assert.equal(second.error.code, 'place_not_found');
    }
    assertExit(await run(argv`jobs cancel ${job.id}`), 2);
    const again = await data(argv`jobs retry-failed ${job.id}`);
    assert.deepEqual([again.total, again.endpoint], [1, 'maps/harbours']);
    assert.equal((await awaitJob(all, customer, again.id)).failed, 1);
  });

  test('makes the next job of a chain out of the items of results, once', async (t) => {
    const ask: CallFunction = async (...call) => {
      const named = (id: number) => ({ id: String(id), page_url: `https://harbours.example/${id}` });
      return { ...(await picky(...call)), json: JSON.stringify([1, 2, 3].map(named)) };
    };
    const { run, data, code, customer, all } = await served(t, { ask });
    const create = argv`jobs create maps/harbours --wait`;
    const { data: first } = JSON.parse((await run(create, ndjson(['a', 'b', 'bad']))).out);
    const inputsOf = async (id: string) => {
      await awaitJob(all, customer, id);
      return ndjsonValues((await run(argv`jobs results ${id}`)).out).map(({ input }) => input);
    };
    const jobAfter = async (id: string, ...more: string[]) => {
      const next = await run(argv`jobs results ${id} --then maps/harbour ${more}`);
      return JSON.parse(assertExit(next, 0).out).data;
    };
    // Two answers hold the same three items, and an input that failed holds none.
    const made = await jobAfter(first.id);
    assert.deepEqual([made.endpoint, made.total], ['maps/harbour', 3]);
    assert.deepEqual(await inputsOf(made.id), [{ id: '1' }, { id: '2' }, { id: '3' }]);
    assert.equal((await jobAfter(first.id)).id, made.id);
    const limited = await jobAfter(first.id, '--then-limit', '1');
    assert.deepEqual([limited.total, limited.id === made.id], [1, false]);
    // Items of samples are requested as samples, because the platform has none of their IDs.
    const { id: sample } = await data(create, '{"query":"a","demo":true}\n');
    const { id: demo } = await jobAfter(sample);
    const samples = [1, 2, 3].map((id) => ({ id: String(id), demo: true }));
    assert.deepEqual(await inputsOf(demo), samples);
    for (const [expected, wrong] of [
      ['conflicting_parameters', argv`jobs results ${first.id} --then maps/harbour --follow`],
      ['missing_parameter', argv`jobs results ${first.id} --then-limit 1`],
      ['invalid_parameter', argv`jobs results ${first.id} --then maps/nothing`],
    ] as const)
      assert.equal(await code(wrong, 2), expected);
  });

  test('takes inputs from the standard input, and sends nothing of one that is wrong', async (t) => {
    const { data, code, jobs, customer, all } = await served(t);
    const { id } = await data(argv`jobs create google-maps/harbours`, ndjson(numbered(3)));
    assert.equal((await awaitJob(all, customer, id)).completed, 3);
    for (const [stdin, expected, endpoint = 'maps/harbours'] of [
      ['{"query":"a"}\nnonsense\n', 'invalid_body'],
      ['', 'invalid_body'],
      [ndjson(numbered(10_001)), 'too_many_inputs'],
      ['{}', 'invalid_parameter', 'maps/nowhere'],
    ] as const)
      assert.equal(await code(argv`jobs create ${endpoint}`, 2, stdin), expected);
    assert.equal((await jobs.store.list(customer.account, 10, undefined)).jobs.length, 1);
    const keyed = argv`jobs create maps/harbours --idempotency-key k`;
    const twice = [await data(keyed, '{"query":"a"}'), await data(keyed, '{"query":"a"}')];
    assert.equal(new Set(twice.map((job) => job.id)).size, 1);
    assert.equal(await code(keyed, 2, '{"query":"b"}'), 'idempotency_mismatch');
  });

  test('shows the server’s errors, and explains what is missing without a server', async (t) => {
    const { code } = await served(t);
    for (const id of ['job_none', '../account'])
      assert.equal(await code(argv`jobs show ${id}`, 4), 'job_not_found');
    const nowhere = await errorOf(argv`jobs list`, 2, { endpoints: rows });
    assert.equal(nowhere.code, 'missing_parameter');
  });

  test('cancels, and follows what runs to its end', async (t) => {
    const { run, data, code, customer, all } = await served(t, {
      ask: (_, __, ___, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        ),
    });
    const id = await makeJob(all, customer, numbered(20));
    assert.equal(await code(argv`jobs retry-failed ${id}`, 2), 'job_not_finished');
    const following = run(argv`jobs results ${id} --follow`);
    assert.equal((await data(argv`jobs cancel ${id}`)).status, 'cancelled');
    const { out } = assertExit(await following, 0);
    const queries = ndjsonValues(out).map(({ input }) => input.query);
    assert.deepEqual(queries, numbered(20));
  });
});

describe('extract jobs webhooks', () => {
  test('shows, rotates and sends again', async (t) => {
    const { run, data, customer, all } = await served(t, {
      resolve: async () => [{ address: '10.0.0.1', family: 4 }],
    });
    assert.equal((await data(['webhooks', 'secret'])).created_at, null);
    assert.match((await data(argv`webhooks secret --rotate`)).secret, /^whsec_/);
    assert.doesNotMatch((await run(['webhooks', 'secret'])).out, /whsec_/);
    const id = await makeJob(all, customer, ['a'], { webhookUrl: 'https://hooks.example/' });
    await awaitJob(all, customer, id);
    assertExit(await run(['webhooks', 'redeliver', id]), 0);
    const shown = await data(['webhooks', 'show', id]);
    assert.match(shown.id, /^whd_/);
    assert.equal(shown.url, 'https://hooks.example/');
    assertExit(await run(['webhooks', 'show', await makeJob(all, customer, ['a'])]), 2);
  });

  test('accepts and prints verified deliveries, and refuses others', async (t) => {
    const arrived: unknown[] = [];
    const secret = 'whsec_invented';
    const receiver = await listen({
      ...{ host: '127.0.0.1', port: 0, secret, tls: undefined },
      onDelivery: async (one) => void arrived.push(one),
    });
    t.after(() => receiver.close());
    const body = '{"id":"job_1"}';
    const send = async (signature: string, text = body) => {
      const headers = { 'extract-signature': signature, 'extract-delivery': 'whd_1' };
      return (await fetch(receiver.url, { method: 'POST', headers, body: text })).status;
    };
    const now = Math.floor(Date.now() / 1000);
    assert.equal(await send(signWebhook([secret], now, body)), 204);
    assert.equal(await send(signWebhook(['whsec_other'], now, body)), 400);
    assert.equal(await send(signWebhook([secret], now - 400, body)), 400);
    assert.equal(await send('', 'a'.repeat(2 * 1024 * 1024)), 413);
    assert.equal((await fetch(receiver.url)).status, 405);
    assert.deepEqual(arrived[0], { verified: true, delivery: 'whd_1', job: { id: 'job_1' } });
    assert.equal(arrived.length, 3);
  });
});
