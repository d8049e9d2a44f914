import assert from 'node:assert/strict';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { InputTexts } from '../../../../src/service/jobs/job-limits.js';
import { parseJobRequest } from '../../../../src/service/jobs/job-request.js';
import { bucketName, openBucketServer } from '../../../support/bucket-server.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { echo, makeJob, newHome, rows, until } from '../harness.js';
import { hooked, outcome, stateOf } from './receiver.js';

const storage = await openBucketServer();
after(() => storage.close());

const place = {
  settings: { endpoint: storage.url, region: 'us-east-1', keyId: 'S3RVER', secret: 'S3RVER' },
  ...{ bucket: bucketName, prefix: 'jobs' },
};

/** The texts of large lines, so that the results have several parts. */
const large: typeof echo = async (endpoint, params, caller, signal) => {
  const answer = await echo(endpoint, params, caller, signal);
  return { ...answer, json: JSON.stringify({ query: params.query, text: 'x'.repeat(3 * 1024 * 1024) }) };
};

const puts = (key: string) => storage.requests.filter((one) => one.startsWith(`PUT /${bucketName}/${key}`));

describe('the results of a job for a bucket', () => {
  test('are written once, in the format that the address names, below the account’s prefix', async (t) => {
    const clock = new FakeClock();
    const all = await hooked(t, clock, { bucket: place });
    const customer = await all.customer();
    for (const kind of ['ndjson', 'csv', 'xlsx', 'sqlite', 'parquet']) {
      const webhookUrl = `s3://${bucketName}/week/{job}.${kind}`;
      const id = await makeJob(all, customer, ['a', 'b'], { webhookUrl });
      const { state, attempts, url } = await outcome(all, clock, customer, id);
      assert.deepEqual([state, attempts.length, attempts[0]?.error, url], ['delivered', 1, null, webhookUrl]);
      const key = `jobs/${customer.account}/week/${id}.${kind}`;
      const bytes = storage.object(key);
      assert.ok(bytes !== null && bytes.length > 50, kind);
      assert.equal(puts(key).length, 1);
      const { webhook } = await all.jobs.store.find(customer.account, id);
      assert.deepEqual(webhook, { url: webhookUrl, state: 'delivered' });
      if (kind !== 'ndjson') continue;
      const inputs = bytes
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).input.query);
      assert.deepEqual(inputs, ['a', 'b']);
    }
    assert.deepEqual(readdirSync(path.join(all.home, 'uploads')), []);
  });

  test('are refused before the job is created if the operator has no such bucket', async (t) => {
    const all = await hooked(t, new FakeClock(), { bucket: place });
    const code = 'webhook_url_not_allowed';
    await assert.rejects(all.jobs.checkTarget('s3://other/a.csv'), { code });
    await all.jobs.checkTarget(`s3://${bucketName}/a.csv`);
    const none = await hooked(t, new FakeClock());
    await assert.rejects(none.jobs.checkTarget(`s3://${bucketName}/a.csv`), { code });
    const request = (webhook_url: string) =>
      parseJobRequest(
        { endpoint: 'maps/harbours', inputs: new InputTexts(['{}']), webhook_url },
        rows,
        'acct_1',
      );
    for (const wrong of [`s3://${bucketName}/a.exe`, `s3://${bucketName}/../a.csv`, `s3://${bucketName}/`]) {
      await assert.rejects(request(wrong), { code: 'invalid_parameter' });
    }
    assert.equal((await request(`s3://${bucketName}/a.csv`)).webhookUrl, `s3://${bucketName}/a.csv`);
  });

  test('are retried while the storage fails, fail for good if it refuses, and can be redelivered', async (t) => {
    const clock = new FakeClock();
    const all = await hooked(t, clock, { bucket: place });
    const customer = await all.customer();
    storage.fail(/late/, 503, 4);
    const webhookUrl = `s3://${bucketName}/late/{job}.csv`;
    const late = await makeJob(all, customer, ['a'], { webhookUrl });
    // Between the tries of one attempt, too.
    await until(async () => {
      await clock.advance(500);
      return (await stateOf(all, customer, late)).state !== 'pending';
    }, 5);
    const second = await stateOf(all, customer, late);
    const statuses = second.attempts.map(({ status, error }) => [status, error]);
    assert.deepEqual(statuses, [
      [503, 'The bucket responded with status 503.'],
      [200, null],
    ]);
    storage.fail(/denied/, 403, 1);
    const denied = await makeJob(all, customer, ['a'], { webhookUrl: `s3://${bucketName}/denied/{job}.csv` });
    const failed = await outcome(all, clock, customer, denied);
    assert.deepEqual(
      [failed.state, failed.attempts[0]?.error],
      ['failed', 'The bucket responded with status 403.'],
    );
    assert.deepEqual(readdirSync(path.join(all.home, 'uploads')), [], 'nothing of what was given up stays');
    assert.equal((await all.jobs.webhooks.listFailed(5)).newest[0]?.host, bucketName);
    await all.jobs.webhooks.redeliver(customer.account, denied);
    all.jobs.wake();
    assert.equal((await outcome(all, clock, customer, denied)).state, 'delivered');
    assert.equal(puts(`jobs/${customer.account}/denied`).length, 2);
  });

  test('are gone on with by the next process, with the parts that the storage has, and are one object', async (t) => {
    const home = newHome(t);
    const clock = new FakeClock();
    const before = await hooked(t, clock, { bucket: place, home, ask: large });
    const customer = await before.customer();
    storage.hang(/partNumber=2/);
    const webhookUrl = `s3://${bucketName}/cut/{job}.ndjson`;
    const id = await makeJob(before, customer, ['a', 'b', 'c', 'd', 'e', 'f'], { webhookUrl });
    const key = `jobs/${customer.account}/cut/${id}.ndjson`;
    while (puts(key).length < 2) await setImmediate();
    assert.equal(storage.object(key), null);
    await before.close();
    const next = await hooked(t, clock, { bucket: place, home, ask: large });
    await clock.advance(20_000);
    next.jobs.wake();
    while (storage.object(key) === null) await setImmediate();
    assert.equal((await outcome(next, clock, customer, id)).state, 'delivered');
    const putCounts = [1, 2, 3].map((number) => puts(`${key}?partNumber=${number}`).length);
    assert.deepEqual(putCounts, [1, 2, 1]);
    assert.deepEqual([storage.uploads(), readdirSync(path.join(home, 'uploads'))], [[], []]);
    const lines = storage.object(key)?.toString().trim().split('\n') ?? [];
    assert.equal(lines.length, 6);
  });

  test('leave nothing here if another server wrote them', async (t) => {
    const home = newHome(t);
    const clock = new FakeClock();
    const before = await hooked(t, clock, { bucket: place, home, ask: large });
    const customer = await before.customer();
    storage.hang(/left.*partNumber=2/);
    const id = await makeJob(before, customer, ['a', 'b', 'c', 'd'], {
      webhookUrl: `s3://${bucketName}/left/{job}.ndjson`,
    });
    const key = `jobs/${customer.account}/left/${id}.ndjson`;
    while (puts(key).length < 2) await setImmediate();
    await before.close();
    const uploads = storage.uploads();
    assert.equal(uploads.length, 1);
    const file = path.join(home, 'uploads', `${id}.ndjson`);
    // By the clock of the test, too.
    utimesSync(file, 1000, 1000);
    const next = await hooked(t, clock, { bucket: place, home, start: false });
    for (const due of await next.jobs.webhooks.listDue()) {
      await next.jobs.webhooks.record(due, clock.now(), { status: 200, error: null, again: false });
    }
    assert.equal((await stateOf(next, customer, id)).state, 'delivered');
    next.jobs.start();
    await until(() => !existsSync(file), 10);
    await until(() => !storage.uploads().some((upload) => uploads.includes(upload)), 10);
    await next.close();
  });

  test('do not delay a stop if their upload cannot be aborted', async (t) => {
    const all = await hooked(t, new FakeClock(), { bucket: place, ask: large });
    const customer = await all.customer();
    storage.fail(/silent.*partNumber=2/, 403);
    storage.hang(/DELETE .*silent/);
    const id = await makeJob(all, customer, ['a', 'b', 'c', 'd'], {
      webhookUrl: `s3://${bucketName}/silent/{job}.ndjson`,
    });
    await until(() => storage.requests.some((one) => /DELETE .*silent/.test(one)), 10);
    await all.jobs.stop();
    const { state, attempts } = await stateOf(all, customer, id);
    assert.deepEqual([state, attempts[0]?.error], ['failed', 'The bucket responded with status 403.']);
    assert.deepEqual([readdirSync(path.join(all.home, 'uploads')), all.errors], [[], []]);
  });
});
