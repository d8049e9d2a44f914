import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { verifyWebhook } from '../../../../lib/webhook.js';
import type { ResolvedAddress } from '../../../../src/service/jobs/webhooks/targets.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { forwardProxy } from '../../../support/forward-proxy.js';
import { type JobsHarnessOptions, until } from '../harness.js';
import { makesWebhooks, type Received, receiver, status } from './receiver.js';

const publicAddress: ResolvedAddress = { address: '93.184.216.34', family: 4 };

/** A receiver that is reachable only through a proxy, and jobs that are configured to use it. */
async function behindProxy(
  t: TestContext,
  more: Omit<JobsHarnessOptions, 'config'> = {},
  { noProxy, to }: { noProxy?: string; to?: Parameters<typeof forwardProxy>[1] } = {},
) {
  const clock = new FakeClock();
  const server = await receiver(t, clock, [status(200)]);
  const proxy = await forwardProxy(t, to ?? server);
  const made = await makesWebhooks(t, clock, {
    webhookAllow: [],
    resolve: async () => [publicAddress],
    config: { httpsProxy: proxy.url.replace('://', '://user:pass@'), noProxy },
    ...more,
  });
  return { ...made, server, proxy, deliver: (url = server.url) => made.deliver(url) };
}

describe('a webhook behind a proxy', () => {
  test('goes through a tunnel to the checked address, and only to the named receiver', async (t) => {
    const { server, proxy, all, customer, deliver } = await behindProxy(t, {
      resolve: async () => [{ address: '2606:2800:220:1::1', family: 6 }, publicAddress],
    });
    const { secret } = await all.jobs.webhooks.secrets.rotate(customer.account);
    await all.jobs.checkTarget(server.url);
    assert.equal((await deliver()).state, 'delivered');
    assert.deepEqual(proxy.tunnels, [`93.184.216.34:${server.port}`]);
    assert.deepEqual(proxy.credentials, [`Basic ${Buffer.from('user:pass').toString('base64')}`]);
    const { body, headers, at } = server.received[0] as Received;
    assert.equal(headers.host, `hooks.example:${server.port}`);
    assert.equal(headers['proxy-authorization'], undefined);
    const signature = String(headers['extract-signature']);
    assert.ok(verifyWebhook({ body, signature, secret, now: at }));
    // The tunnel leads to the receiver all the same: its certificate is for another name.
    const other = await deliver(server.url.replace('hooks.example', 'wrong.example'));
    assert.deepEqual([other.state, server.received.length], ['failed', 1]);
    assert.match(String(other.attempts[0]?.error), /certificate/);
  });

  test('to an IPv6 host asks for it in brackets', async (t) => {
    const { server, proxy, deliver } = await behindProxy(t, {
      resolve: async () => [{ address: '2606:2800:220:1::1', family: 6 }],
    });
    assert.equal((await deliver()).state, 'delivered');
    assert.deepEqual(proxy.tunnels, [`[2606:2800:220:1::1]:${server.port}`]);
  });

  test('is not sent to the proxy if the host is not public', async (t) => {
    let addresses: ResolvedAddress[] = [publicAddress];
    const { server, proxy, all, deliver } = await behindProxy(t, { resolve: async () => addresses });
    await all.jobs.checkTarget(server.url);
    addresses = [publicAddress, { address: '10.0.0.8', family: 4 }];
    await assert.rejects(all.jobs.checkTarget(server.url), { code: 'webhook_url_not_allowed' });
    for (const url of [server.url, 'https://169.254.169.254/latest', `https://[::1]:${server.port}/`]) {
      const { state, attempts } = await deliver(url);
      assert.deepEqual([state, attempts.length], ['failed', 6], url);
      assert.equal(attempts[0]?.error, 'The webhook URL resolves to an address that is not public.');
    }
    assert.deepEqual([proxy.tunnels, server.sockets.size], [[], 0]);
  });

  test('goes to a name unknown here only if the operator lists it', async (t) => {
    const resolve = async () => {
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    };
    const strict = await behindProxy(t, { resolve });
    await assert.rejects(strict.all.jobs.checkTarget(strict.server.url), { code: 'webhook_url_not_allowed' });
    assert.equal((await strict.deliver()).attempts[0]?.error, 'The host cannot be found.');
    assert.deepEqual(strict.proxy.tunnels, []);
    const listed = await behindProxy(t, { resolve, webhookAllow: ['hooks.example'] });
    await listed.all.jobs.checkTarget(listed.server.url);
    assert.equal((await listed.deliver()).state, 'delivered');
    assert.deepEqual(listed.proxy.tunnels, [`hooks.example:${listed.server.port}`]);
  });

  test('bypasses the proxy for the hosts of NO_PROXY', async (t) => {
    const loopback: ResolvedAddress = { address: '127.0.0.1', family: 4 };
    const listed = { webhookAllow: ['127.0.0.0/8'], resolve: async () => [loopback] };
    const direct = await behindProxy(t, listed, { noProxy: 'localhost,.example' });
    assert.equal((await direct.deliver()).state, 'delivered');
    assert.deepEqual([direct.proxy.tunnels, direct.server.received.length], [[], 1]);
    const strict = await behindProxy(t, { resolve: async () => [loopback] }, { noProxy: 'hooks.example' });
    assert.equal((await strict.deliver()).state, 'failed');
    assert.deepEqual([strict.proxy.tunnels, strict.server.sockets.size], [[], 0]);
  });

  test('is retried if the proxy refuses or is silent, with the reason', async (t) => {
    const refusing = await behindProxy(t, {}, { to: { status: 403 } });
    const { state, attempts } = await refusing.deliver();
    assert.deepEqual([state, attempts.length], ['failed', 6]);
    assert.equal(attempts[0]?.error, 'The proxy to the receiver answered with status 403.');
    const silent = await behindProxy(t, {}, { to: 'silence' });
    const id = await silent.make(silent.server.url);
    const errors = async () => (await silent.stateOf(id)).attempts.map(({ error }) => error);
    await until(() => silent.proxy.tunnels.length === 1);
    await silent.clock.advance(15_000);
    await until(async () => (await errors()).length === 1);
    assert.deepEqual(await errors(), ['No response within 15 seconds.']);
  });
});
