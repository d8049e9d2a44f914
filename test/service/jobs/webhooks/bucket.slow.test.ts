import assert from 'node:assert/strict';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { InputTexts } from '../../../../src/service/jobs/job-limits.js';
import { parseJobRequest } from '../../../../src/service/jobs/job-request.js';
import { bucketName, openBucketServer } from '../../../support/bucket-server.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { echo, newHome, numbered, rows, until } from '../harness.js';
import { hooked, makesWebhooks } from './receiver.js';

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

const uploadsIn = (home: string) => readdirSync(path.join(home, 'uploads'));

describe('the results of a job for a bucket', () => {
  test('are written once, in the format that the address names, below the account’s prefix', async (t) => {
    const { all, customer, deliver, find } = await makesWebhooks(t, new FakeClock(), { bucket: place });
    for (const kind of ['ndjson', 'csv', 'xlsx', 'sqlite', 'parquet']) {
      const webhookUrl = `s3://${bucketName}/week/{job}.${kind}`;
      const { job: id, state, attempts, url } = await deliver(webhookUrl, ['a', 'b']);
      assert.deepEqual([state, attempts.length, attempts[0]?.error, url], ['delivered', 1, null, webhookUrl]);
      const key = `jobs/${customer.account}/week/${id}.${kind}`;
      const bytes = storage.object(key);
      assert.ok(bytes !== null && bytes.length > 50, kind);
      assert.equal(puts(key).length, 1);
      assert.deepEqual((await find(id)).webhook, { url: webhookUrl, state: 'delivered' });
      if (kind !== 'ndjson') continue;
      const lines = bytes.toString().trim().split('\n');
      const inputs = lines.map((line) => JSON.parse(line).input.query);
      assert.deepEqual(inputs, ['a', 'b']);
    }
    assert.deepEqual(uploadsIn(all.home), []);
  });

  test('are refused before the job is created if the operator has no such bucket', async (t) => {
    const all = await hooked(t, new FakeClock(), { bucket: place });
    const code = 'webhook_url_not_allowed';
    await assert.rejects(all.jobs.checkTarget('s3://other/a.csv'), { code });
    await all.jobs.checkTarget(`s3://${bucketName}/a.csv`);
    const none = await hooked(t, new FakeClock());
    await assert.rejects(none.jobs.checkTarget(`s3://${bucketName}/a.csv`), { code });
    const request = (name: string) => {
      const fields = { endpoint: 'maps/harbours', inputs: new InputTexts(['{}']) };
      return parseJobRequest({ ...fields, webhook_url: `s3://${bucketName}/${name}` }, rows, 'acct_1');
    };
    for (const wrong of ['a.exe', '../a.csv', ''])
      await assert.rejects(request(wrong), { code: 'invalid_parameter' });
    assert.equal((await request('a.csv')).webhookUrl, `s3://${bucketName}/a.csv`);
  });

  test('are retried while the storage fails, fail for good if it refuses, and can be redelivered', async (t) => {
    const clock = new FakeClock();
    const made = await makesWebhooks(t, clock, { bucket: place });
    const { all, customer, make, stateOf } = made;
    storage.fail(/late/, 503, 4);
    const late = await make(`s3://${bucketName}/late/{job}.csv`);
    // Between the tries of one attempt, too.
    await until(async () => {
      await clock.advance(500);
      return (await stateOf(late)).state !== 'pending';
    }, 5);
    const attempts = (await stateOf(late)).attempts.map(({ status, error }) => `${status} ${error}`);
    assert.deepEqual(attempts, ['503 The bucket responded with status 503.', '200 null']);
    storage.fail(/denied/, 403, 1);
    const { job: denied, ...failed } = await made.deliver(`s3://${bucketName}/denied/{job}.csv`);
    const { error } = failed.attempts[0] ?? {};
    assert.deepEqual([failed.state, error], ['failed', 'The bucket responded with status 403.']);
    assert.deepEqual(uploadsIn(all.home), [], 'nothing of what was given up stays');
    assert.equal((await all.jobs.webhooks.listFailed(5)).newest[0]?.host, bucketName);
    await all.jobs.webhooks.redeliver(customer.account, denied);
    all.jobs.wake();
    assert.equal((await made.outcome(denied)).state, 'delivered');
    assert.equal(puts(`jobs/${customer.account}/denied`).length, 2);
  });

  /** A job of large lines whose upload hangs in its second part when its process ends. */
  async function interrupted(t: TestContext, folder: string, count: number) {
    const home = newHome(t);
    const clock = new FakeClock();
    const { all, customer, make } = await makesWebhooks(t, clock, {
      ...{ bucket: place, home, ask: large },
    });
    storage.hang(new RegExp(`${folder}.*partNumber=2`));
    const id = await make(`s3://${bucketName}/${folder}/{job}.ndjson`, numbered(count));
    const key = `jobs/${customer.account}/${folder}/${id}.ndjson`;
    while (puts(key).length < 2) await setImmediate();
    assert.equal(storage.object(key), null);
    await all.close();
    const stateAt = async ({ jobs }: Pick<typeof all, 'jobs'>) =>
      (await jobs.webhooks.findDelivery(customer.account, id)).state;
    return { home, clock, id, key, stateAt };
  }

  test('are gone on with by the next process, with the parts that the storage has, and are one object', async (t) => {
    const { home, clock, key, stateAt } = await interrupted(t, 'cut', 6);
    const next = await hooked(t, clock, { bucket: place, home, ask: large });
    await clock.advance(20_000);
    next.jobs.wake();
    while (storage.object(key) === null) await setImmediate();
    await until(async () => (await stateAt(next)) !== 'pending');
    assert.equal(await stateAt(next), 'delivered');
    const putCounts = [1, 2, 3].map((number) => puts(`${key}?partNumber=${number}`).length);
    assert.deepEqual(putCounts, [1, 2, 1]);
    assert.deepEqual([storage.uploads(), uploadsIn(home)], [[], []]);
    assert.equal(storage.object(key)?.toString().trim().split('\n').length, 6);
  });

  test('leave nothing here if another server wrote them', async (t) => {
    const { home, clock, id, stateAt } = await interrupted(t, 'left', 4);
    const uploads = storage.uploads();
    assert.equal(uploads.length, 1);
    const file = path.join(home, 'uploads', `${id}.ndjson`);
    // By the clock of the test, too.
    utimesSync(file, 1000, 1000);
    const next = await hooked(t, clock, { bucket: place, home, start: false });
    for (const due of await next.jobs.webhooks.listDue()) {
      await next.jobs.webhooks.record(due, clock.now(), { status: 200, error: null, again: false });
    }
    assert.equal(await stateAt(next), 'delivered');
    next.jobs.start();
    await until(() => !existsSync(file), 10);
    await until(() => !storage.uploads().some((upload) => uploads.includes(upload)), 10);
    await next.close();
  });

  test('do not delay a stop if their upload cannot be aborted', async (t) => {
    const { all, make, stateOf } = await makesWebhooks(t, new FakeClock(), { bucket: place, ask: large });
    storage.fail(/silent.*partNumber=2/, 403);
    storage.hang(/DELETE .*silent/);
    const id = await make(`s3://${bucketName}/silent/{job}.ndjson`, numbered(4));
    await until(() => storage.requests.some((one) => /DELETE .*silent/.test(one)), 10);
    await all.jobs.stop();
    const { state, attempts } = await stateOf(id);
    assert.deepEqual([state, attempts[0]?.error], ['failed', 'The bucket responded with status 403.']);
    assert.deepEqual([uploadsIn(all.home), all.errors], [[], []]);
  });
});
