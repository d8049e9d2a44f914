import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyWebhook } from '../../lib/webhook.js';
import { noBrowser, publicAddress } from '../support/browser-site.js';
import { shortvideoSite, videoId } from '../support/shortvideo-site.js';
import { served } from './harness.js';

const email = 'ann@example.com';

/** Mails that a server without a mail server keeps in its data directory. */
const mailsIn = (home: string) =>
  readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => path.basename(path.dirname(name)) === 'mails')
    .map((name) => readFileSync(path.join(home, name), 'utf8'));

describe('the alerts of a server, with every setting as it comes', { skip: noBrowser }, () => {
  test('carry the items that the condition holds for, signed to a webhook and by mail, tried again where it fails', async () => {
    const page = shortvideoSite();
    const arrived: { readonly body: string; readonly headers: Readonly<Record<string, unknown>> }[] = [];
    const { home, run, serve } = await served((request) => {
      if (request.host !== publicAddress) return page(request);
      arrived.push({ body: request.body, headers: request.headers });
      return { status: arrived.length === 1 ? 503 : 204, body: '' };
    });
    assert.equal((await run(['accounts', 'create', '--email', email, '--verified'])).status, 0);
    const made = await run(['keys', 'create', '--email', email, '--name', 'one', '--json']);
    const { url } = await serve();
    const ask = async (address: string, method = 'GET', body?: object) => {
      const answer = await fetch(`${url}${address}`, {
        method,
        headers: {
          authorization: `Bearer ${JSON.parse(made.out).data.secret}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      assert.ok(answer.ok, text);
      return JSON.parse(text).data;
    };
    const { secret } = await ask('/v1/webhooks/secret', 'POST');
    const job = await ask('/v1/jobs', 'POST', {
      ...{ endpoint: 'shortvideo/comments', inputs: [{ id: videoId }], name: 'Liked comments' },
      ...{ schedule: 'monday 08:00', timezone: 'Europe/Berlin', when: 'like_count >= 15', new: true },
      notify: [`https://${publicAddress}/hook`, email],
    });
    const alerts = async () => (await ask(`/v1/schedules/${job.schedule}/runs`))[0].alerts;
    const isTold = async () => {
      const all = await alerts();
      return all.length === 2 && all.every(({ state }: { state: string }) => state === 'delivered');
    };
    while (!(await isTold())) await sleep(250);
    assert.deepEqual(
      (await alerts()).map(({ target, attempts, error }: Record<string, unknown>) => [
        target,
        attempts,
        error,
      ]),
      [
        [`webhook: ${publicAddress}/…`, 2, null],
        [`mail: ${email}`, 1, null],
      ],
    );
    const [first, second, ...more] = arrived;
    assert.deepEqual([more, first?.body], [[], second?.body]);
    const { body = '', headers = {} } = second ?? {};
    assert.ok(verifyWebhook({ body, signature: String(headers['extract-signature']), secret }));
    const told = JSON.parse(body);
    assert.ok(told.total > 0 && told.total < 20);
    assert.equal(told.items.length, told.total);
    for (const { what, data, source } of told.items) {
      assert.equal(what, 'new');
      assert.ok(data.like_count >= 15);
      assert.match(source.url, /^https:\/\/www\.tiktok\.com\//);
    }
    assert.equal(told.all_at, `http://localhost:${new URL(url).port}/dashboard/jobs/${job.id}`);
    const mails = mailsIn(home).filter((mail) => mail.includes('Liked comments'));
    assert.equal(mails.length, 1);
    const [mail = ''] = mails;
    assert.match(mail, new RegExp(`${told.total} new: Liked comments`));
    assert.ok(mail.includes(told.items[0].source.url) && mail.includes(told.all_at));
  });
});
