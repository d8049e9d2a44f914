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
import { argv, assertExit, extract } from '../../../support/cli.js';
import { ndjsonValues } from '../../../support/ndjson.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { jobsServer } from '../jobs-server.js';

const folder = temporaryFolder();

const served = (t: TestContext, options: JobsHarnessOptions = {}) =>
  jobsServer(t, folder, { ask: picky, ...options });

const ndjson = (queries: readonly string[]) =>
  queries.map((query) => `${JSON.stringify({ query })}\n`).join('');

describe('extract jobs', () => {
  test('makes a job, waits for it, shows it and writes its results', async (t) => {
    const { run, customer, all } = await served(t);
    const file = path.join(folder, 'queries.csv');
    writeFileSync(file, 'query,max_depth\nharbour,5\nbad place,7\n');
    const made = assertExit(await run(argv`jobs create google-maps/harbours ${file} --wait`), 7);
    const { data } = JSON.parse(made.out);
    // The ID is alone on its line, and was printed before any waiting.
    assert.equal(made.err, `${data.id}\n`);
    assert.deepEqual([data.status, data.completed, data.failed], ['done', 1, 1]);
    assert.deepEqual(JSON.parse((await run(argv`jobs show ${data.id}`)).out).data, data);
    assert.deepEqual(JSON.parse((await run(argv`jobs list --json`)).out).data, [data]);
    assert.equal((await run(argv`jobs wait ${data.id}`)).status, 7);
    for (const kind of ['ndjson', 'csv', 'xlsx', 'sqlite', 'parquet']) {
      const output = path.join(folder, `${data.id}.${kind}`);
      const saved = await run(argv`jobs results ${data.id} -o ${output}`);
      assert.deepEqual([saved.status, saved.out], [0, ''], saved.err);
      assert.equal(kindOfName(output), kind);
      assert.ok(statSync(output).size > 0);
      assert.equal((await run(argv`jobs results ${data.id} -o ${output}`)).status, 2, 'it is there already');
    }
    assert.equal((await run(argv`jobs results ${data.id} -o a.csv --follow`)).status, 2);
    for (const follow of [[], ['--follow']]) {
      const results = assertExit(await run(argv`jobs results ${data.id} ${follow}`), 0);
      const [first, second] = ndjsonValues(results.out);
      assert.deepEqual(first.data.echo, first.input);
      assert.equal(second.error.code, 'place_not_found');
    }
    assert.equal((await run(argv`jobs cancel ${data.id}`)).status, 2);
    const retried = await run(argv`jobs retry-failed ${data.id}`);
    const again = JSON.parse(retried.out).data;
    assert.deepEqual([retried.status, again.total, again.endpoint], [0, 1, 'maps/harbours']);
    assert.equal((await awaitJob(all, customer, again.id)).failed, 1);
  });

  test('makes the next job of a chain out of the items of results, once', async (t) => {
    const ask: CallFunction = async (endpoint, params, caller, signal) => {
      const answer = await picky(endpoint, params, caller, signal);
      const named = (id: number) => ({ id: String(id), page_url: `https://harbours.example/${id}` });
      return { ...answer, json: JSON.stringify([1, 2, 3].map(named)) };
    };
    const { run, customer, all } = await served(t, { ask });
    const made = await run(argv`jobs create maps/harbours --wait`, ndjson(['a', 'b', 'bad']));
    const { data: first } = JSON.parse(made.out);
    const next = argv`jobs results ${first.id} --then maps/harbour`;
    // Two answers hold the same three items, and an input that failed holds none.
    const then = assertExit(await run(next), 0);
    const { data } = JSON.parse(then.out);
    assert.deepEqual([data.endpoint, data.total], ['maps/harbour', 3]);
    await awaitJob(all, customer, data.id);
    const inputsOf = async (id: string) => {
      const { out } = await run(argv`jobs results ${id}`);
      return ndjsonValues(out).map(({ input }) => input);
    };
    assert.deepEqual(await inputsOf(data.id), [{ id: '1' }, { id: '2' }, { id: '3' }]);
    assert.equal(JSON.parse((await run(next)).out).data.id, data.id);
    const limited = JSON.parse((await run(argv`${next} --then-limit 1`)).out).data;
    assert.deepEqual([limited.total, limited.id === data.id], [1, false]);
    // Items of samples are requested as samples, because the platform has none of their IDs.
    const sample = await run(argv`jobs create maps/harbours --wait`, '{"query":"a","demo":true}\n');
    const ofSample = argv`jobs results ${JSON.parse(sample.out).data.id} --then maps/harbour`;
    const demo = JSON.parse((await run(ofSample)).out).data;
    await awaitJob(all, customer, demo.id);
    assert.deepEqual(
      await inputsOf(demo.id),
      [1, 2, 3].map((id) => ({ id: String(id), demo: true })),
    );
    for (const [code, ...wrong] of [
      ['conflicting_parameters', ...next, '--follow'],
      ['missing_parameter', 'jobs', 'results', first.id, '--then-limit', '1'],
      ['invalid_parameter', 'jobs', 'results', first.id, '--then', 'maps/nothing'],
    ] as const) {
      const refused = await run(wrong);
      assert.deepEqual([refused.status, JSON.parse(refused.err).error.code], [2, code]);
    }
  });

  test('takes inputs from the standard input, and sends nothing of one that is wrong', async (t) => {
    const { run, jobs, customer, all } = await served(t);
    const made = assertExit(await run(argv`jobs create google-maps/harbours`, ndjson(numbered(3))), 0);
    const { data } = JSON.parse(made.out);
    assert.equal((await awaitJob(all, customer, data.id)).completed, 3);
    for (const [stdin, code] of [
      ['{"query":"a"}\nnonsense\n', 'invalid_body'],
      ['', 'invalid_body'],
      [ndjson(numbered(10_001)), 'too_many_inputs'],
    ] as const) {
      const refused = await run(argv`jobs create maps/harbours`, stdin);
      assert.deepEqual([refused.status, JSON.parse(refused.err).error.code], [2, code]);
    }
    assert.equal((await run(argv`jobs create maps/nowhere`, '{}')).status, 2);
    assert.equal((await jobs.store.list(customer.account, 10, undefined)).jobs.length, 1);
    const keyed = argv`jobs create maps/harbours --idempotency-key k`;
    const ids = [await run(keyed, '{"query":"a"}'), await run(keyed, '{"query":"a"}')];
    assert.equal(new Set(ids.map(({ out }) => JSON.parse(out).data.id)).size, 1);
    assert.equal(JSON.parse((await run(keyed, '{"query":"b"}')).err).error.code, 'idempotency_mismatch');
  });

  test('shows the server’s errors, and explains what is missing without a server', async (t) => {
    const { run } = await served(t);
    const unknown = await run(argv`jobs show job_none`);
    assert.deepEqual([unknown.status, JSON.parse(unknown.err).error.code], [4, 'job_not_found']);
    assert.equal((await run(argv`jobs show ../account`)).status, 4);
    const nowhere = await extract(argv`jobs list`, { endpoints: rows });
    assert.deepEqual([nowhere.status, JSON.parse(nowhere.err).error.code], [2, 'missing_parameter']);
  });

  test('cancels, and follows what runs to its end', async (t) => {
    const { run, customer, all } = await served(t, {
      ask: (_, __, ___, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        ),
    });
    const id = await makeJob(all, customer, numbered(20));
    const unfinished = await run(argv`jobs retry-failed ${id}`);
    assert.deepEqual([unfinished.status, JSON.parse(unfinished.err).error.code], [2, 'job_not_finished']);
    const following = run(argv`jobs results ${id} --follow`);
    const cancelled = await run(argv`jobs cancel ${id}`);
    assert.equal(JSON.parse(cancelled.out).data.status, 'cancelled');
    const { out } = assertExit(await following, 0);
    const queries = ndjsonValues(out).map(({ input }) => input.query);
    assert.deepEqual(queries, numbered(20));
  });
});

describe('extract jobs webhooks', () => {
  test('shows, rotates and sends again', async (t) => {
    const { run, customer, all } = await served(t, {
      resolve: async () => [{ address: '10.0.0.1', family: 4 }],
    });
    const none = JSON.parse((await run(['webhooks', 'secret'])).out);
    assert.equal(none.data.created_at, null);
    const made = JSON.parse((await run(argv`webhooks secret --rotate`)).out);
    assert.match(made.data.secret, /^whsec_/);
    assert.equal((await run(['webhooks', 'secret'])).out.includes('whsec_'), false);
    const id = await makeJob(all, customer, ['a'], { webhookUrl: 'https://hooks.example/' });
    await awaitJob(all, customer, id);
    assertExit(await run(['webhooks', 'redeliver', id]), 0);
    const shown = JSON.parse((await run(['webhooks', 'show', id])).out).data;
    assert.match(shown.id, /^whd_/);
    assert.equal(shown.url, 'https://hooks.example/');
    const plain = await makeJob(all, customer, ['a']);
    assert.equal((await run(['webhooks', 'show', plain])).status, 2);
  });

  test('accepts and prints verified deliveries, and refuses others', async (t) => {
    const arrived: unknown[] = [];
    const secret = 'whsec_invented';
    const receiver = await listen({
      ...{ host: '127.0.0.1', port: 0, secret, tls: undefined },
      onDelivery: async (one) => {
        arrived.push(one);
      },
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
