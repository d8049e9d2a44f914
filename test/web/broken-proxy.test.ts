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

/** Posts to a page at a slow pace, by a proxy with a login. Gives the error, and the milliseconds until it came. */
async function fetchBy(t: TestContext, does: BrokenProxy) {
  const proxy = await brokenProxy(t, does);
  const clock = new FakeClock();
  const source = network(t, { clock, proxy: { httpsProxy: proxy.url.replace('//', '//me:secret@') } });
  const session = source.open(testSite({ surfaces: { page: { ms: 3000, concurrency: 1 } } }));
  const began = clock.now();
  const fetched = session.fetch({ url: 'https://pages.example/', method: 'POST', body: 'x' });
  const error = await rejection<ExtractError>(clock.passing(fetched));
  return { proxy, clock, error, ms: clock.now() - began };
}

describe('a proxy that', () => {
  for (const does of all) {
    for (const scheme of ['http', 'https']) {
      test(`${does} gets at most three connections from one request for an ${scheme} page`, async (t) => {
        const proxy = await brokenProxy(t, does);
        const clock = new FakeClock();
        const source = network(t, { clock, proxy: { [`${scheme}Proxy`]: proxy.url } });
        const fetched = source.open(testSite()).fetch({ url: `${scheme}://pages.example/` });
        const error = await rejection<ExtractError>(clock.passing(fetched));
        assert.equal(error.code, 'platform_unavailable');
        assert.match(error.message, /^pages\.example could not be read: /);
        assert.match(error.message, message(scheme));
        assert.ok(proxy.connections() >= 1 && proxy.connections() <= 3, `${proxy.connections()}`);
      });

      test(`${does} gets at most three from a request to an ${scheme} server`, async (t) => {
        const proxy = await brokenProxy(t, does);
        const clock = new FakeClock();
        const client = new ApiClient({
          ...{ baseUrl: `${scheme}://api.example/v1`, apiKey: 'key', userAgent: 'test/1', timeouts, clock },
          proxy: { [`${scheme}Proxy`]: proxy.url },
        });
        t.after(() => client.close());
        const error = await rejection<ExtractError>(clock.passing(client.get('account', {})));
        assert.equal(error.code, 'platform_unavailable');
        assert.match(error.message, message(scheme));
        assert.ok(proxy.connections() >= 1 && proxy.connections() <= 3, `${proxy.connections()}`);
      });
    }

    test(`${does} gets one from one attempt of a webhook`, async (t) => {
      const proxy = await brokenProxy(t, does);
      const targets = new Targets(['hooks.example']);
      const clock = new FakeClock();
      const sender = createSender({ targets, clock, proxy: { httpsProxy: proxy.url } });
      t.after(() => sender.close());
      const sent = await sender.send({ url: 'https://hooks.example/', body: '{}', headers: {} }, never);
      assert.equal(sent.status, null);
      assert.match(String(sent.error), /\.$/);
      assert.equal(proxy.connections(), 1);
    });
  }

  test('closes on CONNECT gets three from a call, whatever other routes its endpoint has', async (t) => {
    const proxy = await brokenProxy(t, 'closes on CONNECT');
    const clock = new FakeClock();
    const session = network(t, { clock, proxy: { httpsProxy: proxy.url } }).open(profile.site);
    const identity = profile.identify({ username: 'mira.kettle' });
    const reading = readEndpoint(profile, { identity, limit: 1, position: null, session });
    const error = await rejection<ExtractError>(clock.passing(reading));
    assert.match(
      error.message,
      /^www\.tiktok\.com could not be read: the proxy of HTTPS_PROXY [^.;]*; check that setting\.$/,
    );
    assert.equal(proxy.connections(), 3);
  });

  test('closes on CONNECT is named by its setting, with what to do, and asked again at no pace', async (t) => {
    const { proxy, clock, error, ms } = await fetchBy(t, 'closes on CONNECT');
    assert.equal(
      error.message,
      'pages.example could not be read: the proxy of HTTPS_PROXY closed the connection; check that setting.',
    );
    assert.equal(proxy.connections(), 3);
    assert.deepEqual(
      clock.slept.filter((ms) => ms < 10_000),
      [225, 450],
    );
    assert.ok(ms < 5000);
  });

  const closingTunnels = all.filter((does) => / the tunnel /.test(does));
  for (const does of closingTunnels) {
    test(`${does} is named by its setting, within 5 s, and asked again at no pace`, async (t) => {
      const { proxy, error, ms } = await fetchBy(t, does);
      assert.equal(error.code, 'platform_unavailable');
      assert.equal(
        error.message,
        'pages.example could not be read: the proxy of HTTPS_PROXY closed the tunnel; check that setting.',
      );
      assert.equal(proxy.connections(), 3);
      assert.ok(ms < 5000, `${ms} ms`);
    });

    test(`${does} is named to those who ask a server, send a webhook or fetch media`, async (t) => {
      const proxy = await brokenProxy(t, does);
      const clock = new FakeClock();
      const client = new ApiClient({
        ...{ baseUrl: 'https://api.example/v1', apiKey: 'key', userAgent: 'test/1', timeouts, clock },
        proxy: { httpsProxy: proxy.url },
      });
      t.after(() => client.close());
      const posted = client.post('jobs', { body: '{}', headers: {} });
      const error = await rejection<ExtractError>(clock.passing(posted));
      assert.match(error.message, /the proxy of HTTPS_PROXY closed the tunnel; check that setting\.$/);
      assert.equal(proxy.connections(), 3);

      const sender = createSender({
        ...{ targets: new Targets(['hooks.example']), clock, proxy: { httpsProxy: proxy.url } },
      });
      t.after(() => sender.close());
      const sent = await sender.send({ url: 'https://hooks.example/', body: '{}', headers: {} }, never);
      assert.equal(sent.error, 'The proxy to the receiver closed the tunnel.');
      assert.equal(proxy.connections(), 4);

      const media = new MediaSource({
        ...{ platform: 'test', userAgent: 'test/1', cooldownMs: 0, clock, proxy: { httpsProxy: proxy.url } },
        site: { hosts: ['media.example'], fields: {}, pace: { ms: 0, concurrency: 1 } },
      });
      t.after(() => media.close());
      const picture = media.fetch('https://media.example/a.jpg', {}, async () => undefined, never);
      const fault = await rejection<ExtractError>(picture);
      assert.equal(fault.code, 'platform_unavailable');
      assert.match(fault.message, /the proxy of HTTPS_PROXY closed the tunnel/);
      assert.ok(proxy.connections() <= 7);
    });
  }

  test('closes on CONNECT gets three from a request to Stripe', async (t) => {
    const proxy = await brokenProxy(t, 'closes on CONNECT');
    const host = { protocol: 'https', host: 'stripe.example', port: 443 } as const;
    const stripe = stripeClient({ key: 'sk_test_invented', proxy: { httpsProxy: proxy.url }, host });
    await assert.rejects(stripe.checkout.sessions.retrieve('cs_invented'), { type: 'StripeConnectionError' });
    assert.equal(proxy.connections(), 3);
  });

  test('never answers holds no request to a server once its signal is aborted', async (t) => {
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
