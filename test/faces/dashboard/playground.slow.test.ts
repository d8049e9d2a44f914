import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { casesOf } from '../../../lib/samples.js';
import { queryOf } from '../../support/server.js';
import type { Page } from './support/browser.js';
import { type DashboardServer, dashboardServer } from './support/server.js';

const server = await dashboardServer();
const question = 'form.stack[action="/dashboard/playground"]';
const place = endpoints.find(({ path }) => path === 'maps/place') ?? assert.fail();

const texts = ({ $ }: Page) =>
  $('pre')
    .toArray()
    .map((pre) => $(pre).text());

async function keyOf(
  { accounts }: DashboardServer,
  account: string,
  platforms: readonly 'maps'[] | null = null,
) {
  return (await accounts.createKey({ account, name: 'mine', platforms })).key;
}

describe('the playground', () => {
  test('runs the sample of every endpoint, free', async () => {
    const { browser, account } = await server.signedIn();
    for (const endpoint of endpoints) {
      const page = await browser.get(`/dashboard/playground?endpoint=${endpoint.path}`);
      const fields = page.$(`${question} [name^=param-]`).toArray();
      const expected = Object.keys(endpoint.params).filter((name) => name !== 'demo');
      assert.deepEqual(
        fields.map(({ attribs }) => attribs.name).sort(),
        expected.map((name) => `param-${name}`).sort(),
      );
      const played = await browser.submit(page, question);
      assert.equal(played.status, 200, endpoint.path);
      const [answer = ''] = texts(played);
      const { body } = await server.ask(`/v1/${endpoint.path}?${await queryOf(endpoint, { demo: true })}`);
      assert.deepEqual(JSON.parse(answer).data, body.data);
    }
    assert.equal((await server.accounts.find(account.email))?.credits, 500);
  });

  test('charges a call to the key that was chosen, as any call is', async () => {
    const { browser, account } = await server.signedIn();
    const key = await keyOf(server, account.id);
    await server.serve(place);
    const page = await browser.get('/dashboard/playground?endpoint=maps/place');
    const played = await browser.submit(page, question, { key: key.id });
    assert.equal(played.status, 200);
    const { meta } = JSON.parse(texts(played)[0] ?? '');
    assert.equal(meta.credits_charged, 3);
    assert.equal(meta.request_id, played.headers['x-request-id']);
    assert.match(played.$('.balance').text(), /497 credits/);
    const call = await browser.get(played.$('a[href*="/requests/req_"]').attr('href') ?? '');
    assert.match(call.$('main').text(), /Charged3 credits.*Keymine/);
  });

  test('charges a form once that comes twice, and runs another when Run is pressed on its page', async () => {
    const { browser, account } = await server.signedIn();
    const key = await keyOf(server, account.id);
    await server.serve(place);
    const page = await browser.get('/dashboard/playground?endpoint=maps/place');
    const submit = (from: Page) => browser.submit(from, question, { key: key.id });
    // A double click without scripts, and a reload.
    const answers = [...(await Promise.all([submit(page), submit(page)])), await submit(page)];
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(answers.map((answer) => texts(answer)[0])).size, 1);
    const credits = async () => (await server.accounts.find(account.email))?.credits;
    assert.equal(await credits(), 497);
    server.clock.time += 61_000;
    const late = await submit(page);
    assert.match(late.$('.callout').text(), /already made, and charged once/);
    assert.equal(await credits(), 497);
    const again = await browser.submit(late, question);
    assert.match(again.$('.details').first().text(), /Charged3 credits/);
    assert.equal(await credits(), 494);
  });

  test('explains an invalid call, which is free', async () => {
    const { browser, account } = await server.signedIn();
    const key = await keyOf(server, account.id, ['maps']);
    await server.serve(place, 'place_not_found');
    const { params: defaults = {} } =
      (await casesOf(place)).find(({ error }) => error === 'place_not_found') ?? {};
    const names = Object.keys(place.params).filter((name) => !['demo', 'fresh', 'sources'].includes(name));
    const missing = Object.fromEntries(names.map((name) => [`param-${name}`, String(defaults[name] ?? '')]));
    const at = (path: string) => browser.get(`/dashboard/playground?endpoint=${path}`);
    const cases = [
      ['maps/place', { ...missing, key: key.id }, 404, 'place_not_found'],
      ['maps/place', { 'param-place_id': '', 'param-url': '' }, 400, 'missing_parameter'],
      ['maps/place', { 'param-url': 'https://example.com' }, 400, 'conflicting_parameters'],
      ['maps/places', { 'param-limit': '99' }, 400, 'invalid_parameter'],
      ['shortvideo/profile', { key: key.id }, 403, 'platform_not_allowed'],
      ['maps/place', { key: key.id, 'param-fresh': 'true' }, 403, 'fresh_not_available'],
    ] as const;
    for (const [path, values, status, code] of cases) {
      const page = await browser.submit(await at(path), question, values);
      assert.equal(page.status, status, code);
      assert.ok(page.$('main').text().includes(code), code);
    }
    assert.equal((await server.accounts.find(account.email))?.credits, 500);
  });

  test('keeps to the limits of key and address', async () => {
    const narrow = await dashboardServer({ config: { rateLimit: 1, demoRateLimit: 2 } });
    const { browser, account } = await narrow.signedIn();
    const key = await keyOf(narrow, account.id);
    await narrow.serve(place);
    // The same form again would be the same call.
    const run = async (values: Record<string, string>) => {
      const page = await browser.get('/dashboard/playground?endpoint=maps/place');
      return (await browser.submit(page, question, values)).status;
    };
    assert.deepEqual([await run({ key: key.id }), await run({ key: key.id })], [200, 429]);
    assert.deepEqual([await run({}), await run({}), await run({})], [200, 200, 429]);
  });

  test('knows no key of another account, and no other endpoint', async () => {
    const { account } = await server.signedIn();
    const key = await keyOf(server, account.id);
    const { browser } = await server.signedIn();
    const page = await browser.get('/dashboard/playground');
    for (const values of [{ key: key.id }, { key: 'key_nothing' }, { endpoint: 'maps/nothing' }]) {
      assert.equal((await browser.submit(page, question, values)).status, 404);
    }
    assert.equal((await browser.get('/dashboard/playground?endpoint=x')).status, 404);
  });
});
