import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { bucketName, openBucketServer } from '../support/bucket-server.js';
import { serveSite } from './harness.js';

const page = readFileSync(path.join(packageRoot(), 'fixtures/shortvideo/profile/rich.html'), 'latin1');

/** Accounts that share the recorded page, each under its own name. */
const accounts = ({ path: requestPath }: { readonly path: string }) => {
  const name = requestPath.replace(/^\/@/, '');
  return { headers: { 'content-type': 'text/html' }, body: page.replaceAll('mira.kettle', name) };
};

const bucket = await openBucketServer();
after(() => bucket.close());

describe('a bucket, with every setting as it comes', () => {
  test('has the lines of a batch, and of a job whose server was killed while it wrote them, each once', async () => {
    const { home, run, serve } = await serveSite(accounts);
    const storage = bucket.env;
    const names = ['mira.one', 'mira.two'];
    const inputs = path.join(home, 'names.txt');
    writeFileSync(inputs, names.join('\n'));
    const to = `s3://${bucketName}/week.ndjson`;
    const batch = await run(['batch', 'shortvideo/profile', inputs, '-o', to], { settings: storage });
    assert.equal(batch.status, 0, batch.err);
    const objectOf = (key: string) =>
      bucket
        .object(key)
        ?.toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).data.username);
    assert.deepEqual(objectOf('week.ndjson'), names);

    const email = 'ann@example.com';
    assert.equal((await run(['accounts', 'create', '--email', email, '--verified'])).status, 0);
    const keyResult = await run(['keys', 'create', '--email', email, '--name', 'one', '--json']);
    const first = await serve({ settings: storage });
    const ask = async (url: string, at: string, body?: object) => {
      const answer = await fetch(`${url}/v1/${at}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${JSON.parse(keyResult.out).data.secret}`,
          'content-type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return (await answer.json()) as { readonly data: Record<string, unknown> };
    };
    bucket.hang(/PUT .*daily/);
    const address = `s3://${bucketName}/daily/{job}.ndjson`;
    const job = {
      endpoint: 'shortvideo/profile',
      inputs: names.map((username) => ({ username })),
      webhook_url: address,
    };
    const { data: createdJob } = await ask(first.url, 'jobs', job);
    const isPut = (request: string) => /^PUT .*daily/.test(request);
    while (!bucket.requests.some(isPut)) await sleep(100);
    first.child.kill('SIGKILL');
    await once(first.child, 'close');
    const second = await serve({ settings: storage });
    const state = async () => (await ask(second.url, `jobs/${createdJob.id}`)).data;
    while (((await state()).webhook as { state: string }).state === 'pending') await sleep(250);
    assert.deepEqual((await state()).webhook, { url: address, state: 'delivered' });
    const [, put] = bucket.requests.filter(isPut);
    const key = put?.slice(`PUT /${bucketName}/`.length) ?? '';
    assert.match(key, /^jobs\/acct_\w+\/daily\/job_\w+\.ndjson$/);
    assert.deepEqual(objectOf(key), names);
    assert.equal(bucket.requests.filter(isPut).length, 2);
    second.child.kill('SIGTERM');
    const [logs] = await Promise.all([textOf(second.child), once(second.child, 'close')]);
    assert.doesNotMatch(logs, /S3RVER/);
  });
});

/** What a program still writes. */
async function textOf(child: { readonly stderr: NodeJS.ReadableStream | null }): Promise<string> {
  let text = '';
  child.stderr?.on('data', (chunk) => {
    text += String(chunk);
  });
  await once(child.stderr as NodeJS.ReadableStream, 'close');
  return text;
}
