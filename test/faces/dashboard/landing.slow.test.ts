import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { sites } from '../../../lib/platforms.js';
import { Browser } from './support/browser.js';
import { dashboardServer } from './support/server.js';

const prices = { EXTRACT_PACK_PRICES: '50000=49.00,5000000=1999.00' };
const server = await dashboardServer({ deskSettings: prices });

describe('the first page', () => {
  test('shows visitors a sample answer, the prices and the sign-in', async () => {
    const browser = new Browser(server.app);
    const page = await browser.get('/');
    assert.equal(page.status, 200);
    const text = page.$('main').text();
    assert.match(text, /500 free credits/);
    assert.match(text, /50,000€49\.00€0\.980/);
    assert.match(text, /5,000,000€1,999\.00€0\.400/);
    assert.deepEqual(
      page
        .$('h3')
        .toArray()
        .map((one) => page.$(one).text()),
      sites.map(({ brand, platform }) => `${brand} ${platform}`),
    );
    assert.equal(page.$('.badge').length, 0, 'a new server says nothing of states it does not know');
    for (const { path, credits } of endpoints) {
      const row = page.$(`a[href="/docs/endpoints/${path}"]`).closest('tr').text();
      const lowest = ((credits * 1000 * 1999) / 5_000_000).toFixed(2);
      assert.ok(row.endsWith(`${credits}€${lowest}`), `${path}: ${row}`);
    }
    assert.ok(page.$('a[href="/sign-in"]').length > 0);
  });

  test('says nothing of packs and free credits on a server without prices', async () => {
    const free = await dashboardServer({});
    const page = await new Browser(free.app).get('/');
    assert.doesNotMatch(page.$('body').text(), /free credits|Packs|Price/);
  });

  test('runs every endpoint in demo mode, free of charge', async () => {
    const browser = new Browser(server.app);
    for (const { path } of endpoints) {
      const page = await browser.get(`/?endpoint=${encodeURIComponent(path)}`);
      assert.equal(page.status, 200, path);
      const json = page.$('.tall code').text();
      const [, call = ''] = /"(http[^"]+)"/.exec(page.$('.code code').first().text()) ?? [];
      const { pathname, search } = new URL(call);
      const { body } = await server.ask(`${pathname}${search}`);
      assert.deepEqual(JSON.parse(json), body.data, `${path}: the call that is shown gives what is shown`);
      assert.ok(page.$('.answer tr, .answer dt').length > 1, path);
    }
  });

  test('counts requested demos against the limit, but not its own', async () => {
    const limited = await dashboardServer({ config: { demoRateLimit: 1 } });
    const browser = new Browser(limited.app);
    assert.equal((await browser.get('/?endpoint=maps/place')).status, 200);
    assert.equal((await browser.get('/?endpoint=maps/place')).status, 429);
    assert.equal((await browser.get('/')).status, 200);
  });
});
