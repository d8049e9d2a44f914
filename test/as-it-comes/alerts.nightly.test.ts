import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyWebhook } from '../../lib/webhook.js';
import { noBrowser, publicAddress } from '../support/browser-site.js';
import { shortvideoSite, videoId } from '../support/shortvideo-site.js';
import { serveSite } from './harness.js';

const email = 'ann@example.com';

/** The e-mails in the data directory of a server without a mail server. */
const mailsIn = (home: string) =>
  readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => path.basename(path.dirname(name)) === 'mails')
    .map((name) => readFileSync(path.join(home, name), 'utf8'));

describe('the alerts of a server, with every setting as it comes', { skip: noBrowser }, () => {
  test('contain the items that match the condition, by signed webhook, retried once, and by e-mail', async () => {
    const page = shortvideoSite();
    const arrived: { readonly body: string; readonly headers: Readonly<Record<string, unknown>> }[] = [];
    const { home, run, serve } = await serveSite((request) => {
      if (request.host !== publicAddress) return page(request);
      arrived.push({ body: request.body, headers: request.headers });
      return { status: arrived.length === 1 ? 503 : 204, body: '' };
    });
    assert.equal((await run(['accounts', 'create', '--email', email, '--verified'])).status, 0);
    const key = await run(['keys', 'create', '--email', email, '--name', 'one', '--json']);
    const { url } = await serve();
    const ask = async (address: string, method = 'GET', body?: object) => {
      const answer = await fetch(`${url}${address}`, {
        method,
        headers: {
          authorization: `Bearer ${JSON.parse(key.out).data.secret}`,
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
    const areDelivered = async () => {
      const all = await alerts();
      return all.length === 2 && all.every(({ state }: { state: string }) => state === 'delivered');
    };
    while (!(await areDelivered())) await sleep(250);
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
    const alert = JSON.parse(body);
    assert.ok(alert.total > 0 && alert.total < 20);
    assert.equal(alert.items.length, alert.total);
    for (const { what, data, source } of alert.items) {
      assert.equal(what, 'new');
      assert.ok(data.like_count >= 15);
      assert.match(source.url, /^https:\/\/www\.tiktok\.com\//);
    }
    assert.equal(alert.all_at, `http://localhost:${new URL(url).port}/dashboard/jobs/${job.id}`);
    const mails = mailsIn(home).filter((mail) => mail.includes('Liked comments'));
    assert.equal(mails.length, 1);
    const [mail = ''] = mails;
    assert.match(mail, new RegExp(`${alert.total} new: Liked comments`));
    assert.ok(mail.includes(alert.items[0].source.url) && mail.includes(alert.all_at));
  });
});
