import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { verifyWebhook } from '../../../lib/webhook.js';
import { createSender } from '../../../src/service/jobs/webhooks/sender.js';
import { Targets } from '../../../src/service/jobs/webhooks/targets.js';
import { sendNotice } from '../../../src/service/notify/send-notice.js';
import { parseTarget } from '../../../src/service/notify/target.js';
import { FakeClock } from '../../support/fake-clock.js';
import { bodyOf, loopback } from '../../support/loopback.js';
import { MemoryMailer } from '../../support/memory-mailer.js';
import { newItems } from './notices.js';

const { signal } = new AbortController();

async function carriers(t: TestContext, allowed: readonly string[] = ['127.0.0.1']) {
  const clock = new FakeClock();
  const sender = createSender({ targets: new Targets(allowed), clock, proxy: {} as never });
  t.after(() => sender.close());
  return { clock, sender, mailer: new MemoryMailer(), secrets: ['whsec_x'] };
}

describe('an alert that is sent', () => {
  test('is signed only for a webhook', async (t) => {
    const all = await carriers(t);
    const requests: { body: string; signature: unknown; delivery: unknown }[] = [];
    const { port } = await loopback(t, (request, response) => {
      const { 'extract-signature': signature, 'extract-delivery': delivery } = request.headers;
      void bodyOf(request).then((body) => {
        requests.push({ body, signature, delivery });
        response.writeHead(204).end();
      });
    });
    const url = `http://127.0.0.1:${port}/secret`;
    for (const target of [url, `slack:${url}`, `ntfy:${url}`]) {
      assert.equal((await sendNotice(all, parseTarget(target), newItems(2), signal)).error, null);
    }
    const [hook, slack, ntfy] = requests;
    const now = all.clock.now();
    assert.ok(
      verifyWebhook({ body: hook?.body ?? '', signature: String(hook?.signature), secret: 'whsec_x', now }),
    );
    assert.equal(hook?.delivery, 'whd_1');
    assert.deepEqual([slack?.signature, ntfy?.signature, slack?.delivery], [undefined, undefined, undefined]);
    assert.equal(JSON.parse(ntfy?.body ?? '').topic, 'secret');
  });

  test('reports why it was not accepted: a status, a redirect or silence', async (t) => {
    const all = await carriers(t);
    let count = 0;
    const { port } = await loopback(t, (request, response) => {
      count += 1;
      if (request.url === '/gone') response.writeHead(404).end();
      if (request.url === '/moved') response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const send = (path: string) =>
      sendNotice(all, parseTarget(`http://127.0.0.1:${port}${path}`), newItems(1), signal);
    const gone = { status: 404, error: 'The receiver responded with status 404.', again: false };
    assert.deepEqual(await send('/gone'), gone);
    assert.match((await send('/moved')).error ?? '', /redirects are not followed/);
    const sending = send('/silent');
    while (count < 3) await setImmediate();
    await all.clock.advance(15_000);
    const silent = await sending;
    assert.deepEqual(silent, { status: null, error: 'No response within 15 seconds.', again: true });
    assert.equal(count, 3);
  });

  test('goes to public addresses only', async (t) => {
    const all = await carriers(t, []);
    for (const kind of ['webhook', 'slack', 'discord', 'teams', 'mattermost', 'ntfy']) {
      const sent = await sendNotice(all, parseTarget(`${kind}:https://127.0.0.1/x`), newItems(1), signal);
      assert.match(sent.error ?? '', /not public/, kind);
    }
  });

  test('to a person is one mail, and is retried if the mail server failed', async (t) => {
    const all = await carriers(t);
    const target = parseTarget('ada@example.com');
    assert.equal((await sendNotice(all, target, newItems(3), signal)).error, null);
    const sent = all.mailer.mails.map(({ to, subject }) => [to, subject]);
    assert.deepEqual(sent, [['ada@example.com', '3 new: Bad reviews']]);
    const error = 'The e-mail could not be sent.';
    all.mailer.fault = new ExtractError('internal_error', error);
    const outcome = await sendNotice(all, target, newItems(3), signal);
    assert.deepEqual(outcome, { status: null, error, again: true });
  });

  test('does not delay a program that stops', async (t) => {
    const mailer = Object.assign(new MemoryMailer(), { send: () => new Promise<never>(() => undefined) });
    const stopping = new AbortController();
    const all = { ...(await carriers(t)), mailer };
    const sending = sendNotice(all, parseTarget('ada@example.com'), newItems(1), stopping.signal);
    stopping.abort(new Error('The server stops.'));
    await assert.rejects(sending, /The server stops\./);
  });
});
