import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { noBrowser } from '../support/browser-site.js';
import { shortvideoSite, videoId } from '../support/shortvideo-site.js';
import { medianGap, serveSite } from './harness.js';

describe('a server, with every setting as it comes', { skip: noBrowser }, () => {
  test('answers a call and a job by the browser where plain requests are refused, and charges for each once', async () => {
    const { run, serve, browsed } = await serveSite(shortvideoSite());
    const email = 'ann@example.com';
    assert.equal((await run(['accounts', 'create', '--email', email, '--verified'])).status, 0);
    const keyResult = await run(['keys', 'create', '--email', email, '--name', 'one', '--json']);
    const { url } = await serve();
    const ask = async (path: string, body?: object) => {
      const answer = await fetch(`${url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${JSON.parse(keyResult.out).data.secret}`,
          'content-type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, text: await answer.text() };
    };
    const one = await ask(`/v1/shortvideo/comments?id=${videoId}`);
    assert.equal(one.status, 200, one.text);
    assert.equal(JSON.parse(one.text).data.length, 20);
    const balance = async () => JSON.parse((await ask('/v1/account')).text).data.credits_remaining;
    const before = await balance();
    const inputs = Array.from({ length: 4 }, (_, at) => ({ id: String(BigInt(videoId) + BigInt(at + 1)) }));
    const requestsBefore = browsed().length;
    const job = await ask('/v1/jobs', { endpoint: 'shortvideo/comments', inputs });
    assert.equal(job.status, 202, job.text);
    const { id } = JSON.parse(job.text).data;
    const now = async () => JSON.parse((await ask(`/v1/jobs/${id}`)).text).data;
    while ((await now()).status !== 'done') await sleep(250);
    const { text } = await ask(`/v1/jobs/${id}/results`);
    const lines = text.trim().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).data?.length),
      [20, 20, 20, 20],
      text,
    );
    const spent = JSON.parse(one.text).meta.credits_charged * 4;
    assert.deepEqual([(await now()).failed, before - (await balance())], [0, spent]);
    const documents = browsed()
      .slice(requestsBefore)
      .filter(({ path }) => path.startsWith('/@'));
    assert.equal(documents.length, 4);
    // Turns are 1.5 s apart, and a page may take longer to arrive than the next one.
    assert.ok(medianGap(documents) > 1_250, String(medianGap(documents)));
  });
});
