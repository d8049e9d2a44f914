import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { readEndpoint } from '../../lib/call/read-endpoint.js';
import type { ExtractError } from '../../lib/errors/extract-error.js';
import { profile } from '../../lib/platforms/shortvideo/profile.js';
import { ApiClient } from '../../lib/remote/api-client.js';
import { MediaSource } from '../../lib/web/media-source.js';
import { stripeClient } from '../../src/service/accounts/packs/stripe-client.js';
import { createSender } from '../../src/service/jobs/webhooks/sender.js';
import { Targets } from '../../src/service/jobs/webhooks/targets.js';
import { type BrokenProxy, brokenProxies, brokenProxy } from '../support/broken-proxy.js';
import { FakeClock } from '../support/fake-clock.js';
import { forwardProxy } from '../support/forward-proxy.js';
import { network } from '../support/network.js';
import { testSite } from '../support/site.js';

const all = Object.keys(brokenProxies) as BrokenProxy[];
const timeouts = { connectMs: 5_000, headersMs: 5_000, bodyMs: 5_000 };
/** A message that names the proxy's setting, or a certificate: a proxy that answers itself has none. */
const message = (scheme: string) => new RegExp(`the proxy of ${scheme.toUpperCase()}_PROXY|certificate`);
const never = new AbortController().signal;

/** What a promise rejects with. */
const rejection = <E>(work: Promise<unknown>): Promise<E> =>
  work.then(
    () => assert.fail('it did not fail'),
    (error: E) => error,
  );

/** Clients behind a proxy that is broken in this way, on a clock that skips waits. */
async function clientsBehind(t: TestContext, does: BrokenProxy, scheme = 'https') {
  const { url, connections } = await brokenProxy(t, does);
  const clock = new FakeClock();
  const proxy = { [`${scheme}Proxy`]: url };
  const client = new ApiClient({
    ...{ baseUrl: `${scheme}://api.example/v1`, apiKey: 'key', userAgent: 'test/1', timeouts, clock, proxy },
  });
  const sender = createSender({ targets: new Targets(['hooks.example']), clock, proxy });
  t.after(() => Promise.all([client.close(), sender.close()]));
  const send = () => sender.send({ url: 'https://hooks.example/', body: '{}', headers: {} }, never);
  const errorOf = (work: Promise<unknown>) => rejection<ExtractError>(clock.passing(work));
  return { url, connections, clock, proxy, client, send, errorOf };
}

/** Posts to a page at a slow pace, by a proxy with a login. Returns the error, and the milliseconds until it came. */
async function postBehind(t: TestContext, does: BrokenProxy) {
  const { url, errorOf, clock, connections } = await clientsBehind(t, does);
  const source = network(t, { clock, proxy: { httpsProxy: url.replace('//', '//me:secret@') } });
  const session = source.open(testSite({ surfaces: { page: { ms: 3000, concurrency: 1 } } }));
  const began = clock.now();
  const error = await errorOf(session.fetch({ url: 'https://pages.example/', method: 'POST', body: 'x' }));
  return { clock, error, ms: clock.now() - began, connections };
}

describe('a proxy that', () => {
  for (const does of all) {
    for (const scheme of ['http', 'https']) {
      test(`${does} gets at most three connections from one request over ${scheme}`, async (t) => {
        const { clock, proxy, client, errorOf, connections } = await clientsBehind(t, does, scheme);
        const session = network(t, { clock, proxy }).open(testSite());
        const error = await errorOf(session.fetch({ url: `${scheme}://pages.example/` }));
        assert.equal(error.code, 'platform_unavailable');
        assert.match(error.message, /^pages\.example could not be read: /);
        assert.match(error.message, message(scheme));
        const ofPage = connections();
        assert.ok(ofPage >= 1 && ofPage <= 3, `${ofPage}`);
        const fault = await errorOf(client.get('account', {}));
        assert.equal(fault.code, 'platform_unavailable');
        assert.match(fault.message, message(scheme));
        const ofServer = connections() - ofPage;
        assert.ok(ofServer >= 1 && ofServer <= 3, `${ofServer}`);
      });
    }

    test(`${does} gets one connection from one attempt of a webhook`, async (t) => {
      const { send, connections } = await clientsBehind(t, does);
      const { status, error } = await send();
      assert.equal(status, null);
      assert.match(String(error), /\.$/);
      assert.equal(connections(), 1);
    });
  }

  test('closes on CONNECT gets three connections from a call, however many routes its endpoint has', async (t) => {
    const { clock, proxy, errorOf, connections } = await clientsBehind(t, 'closes on CONNECT');
    const session = network(t, { clock, proxy }).open(profile.site);
    const identity = profile.identify({ username: 'mira.kettle' });
    const error = await errorOf(readEndpoint(profile, { identity, limit: 1, position: null, session }));
    const named =
      /^www\.tiktok\.com could not be read: the proxy of HTTPS_PROXY [^.;]*; check that setting\.$/;
    assert.match(error.message, named);
    assert.equal(connections(), 3);
  });

  const closingTunnels = all.filter((does) => / the tunnel /.test(does));
  for (const does of ['closes on CONNECT', ...closingTunnels] as const) {
    const closed = does === 'closes on CONNECT' ? 'connection' : 'tunnel';
    test(`${does} is named by its setting, and tried again without the pace`, async (t) => {
      const { clock, connections, error, ms } = await postBehind(t, does);
      assert.equal(error.code, 'platform_unavailable');
      assert.equal(
        error.message,
        `pages.example could not be read: the proxy of HTTPS_PROXY closed the ${closed}; check that setting.`,
      );
      assert.equal(connections(), 3);
      assert.deepEqual(
        clock.slept.filter((ms) => ms < 10_000),
        [225, 450],
      );
      assert.ok(ms < 5000, `${ms} ms`);
    });
  }

  for (const does of closingTunnels) {
    test(`${does} is named to callers of a server, senders of webhooks and readers of media`, async (t) => {
      const { clock, proxy, client, send, errorOf, connections } = await clientsBehind(t, does);
      const error = await errorOf(client.post('jobs', { body: '{}', headers: {} }));
      assert.match(error.message, /the proxy of HTTPS_PROXY closed the tunnel; check that setting\.$/);
      assert.equal(connections(), 3);
      assert.equal((await send()).error, 'The proxy to the receiver closed the tunnel.');
      assert.equal(connections(), 4);
      const media = new MediaSource({
        ...{ platform: 'test', userAgent: 'test/1', cooldownMs: 0, clock, proxy },
        site: { hosts: ['media.example'], fields: {}, pace: { ms: 0, concurrency: 1 } },
      });
      t.after(() => media.close());
      const picture = media.fetch('https://media.example/a.jpg', {}, async () => undefined, never);
      const fault = await rejection<ExtractError>(picture);
      assert.equal(fault.code, 'platform_unavailable');
      assert.match(fault.message, /the proxy of HTTPS_PROXY closed the tunnel/);
      assert.ok(connections() <= 7);
    });
  }

  test('closes on CONNECT gets three connections from a request to Stripe', async (t) => {
    const proxy = await brokenProxy(t, 'closes on CONNECT');
    const host = { protocol: 'https', host: 'stripe.example', port: 443 } as const;
    const stripe = stripeClient({ key: 'sk_test_invented', proxy: { httpsProxy: proxy.url }, host });
    await assert.rejects(stripe.checkout.sessions.retrieve('cs_invented'), { type: 'StripeConnectionError' });
    assert.equal(proxy.connections(), 3);
  });

  test('never answers does not hold a request whose signal is aborted', async (t) => {
    const proxy = await forwardProxy(t, 'silence');
    const client = new ApiClient({
      ...{ baseUrl: 'https://api.example/v1', apiKey: 'key', userAgent: 'test/1', timeouts },
      ...{ clock: new FakeClock(), proxy: { httpsProxy: proxy.url } },
    });
    t.after(() => client.close());
    const controller = new AbortController();
    const reason = new Error('given up');
    const rejected = rejection(client.get('account', {}, controller.signal));
    while (proxy.tunnels.length === 0) await setImmediate();
    controller.abort(reason);
    assert.equal(await rejected, reason);
  });
});
