import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { platforms } from '../../../lib/platforms.js';
import { casesOf } from '../../../lib/samples.js';
import { routeSource } from '../../../lib/web/routes.js';
import { newSecret } from '../../../src/service/accounts/api-key.js';
import { docsBase } from '../../support/api-description.js';
import { expectedAnswers } from '../../support/cases.js';
import { pay } from '../../support/pay.js';
import { queryOf, testServer } from '../../support/server.js';

const server = await testServer();
const rich = await server.account({ credits: 50_000 });
const trial = await server.account();
const poor = await server.account();
const unverified = await server.account({ verified: false });
const { account: owner } = (await server.accounts.listKeys())[0] ?? { account: '' };
const revoked = await server.accounts.createKey({ account: owner, name: 'revoked', platforms: null });
await server.accounts.revokeKey(revoked.key.id);
const at = server.clock.now();
await pay(server.ledger, {
  ...{ id: 'req_spent', account: poor.id, endpoint: 'test', credits: 500, needsPack: false, at },
});

const balance = async (account: string) => (await server.ledger.balance(account)).credits;
const rows = async (account: string) => (await server.ledger.usage(account, { limit: 1 })).rows;

/** A refusal that nothing was charged for. */
async function refused(url: string, secret: string | null, status: number, code: string, account = rich.id) {
  const before = [await balance(account), await rows(account)];
  const answer = await server.ask(url, secret);
  const detail = `${url.slice(0, 300)} → ${answer.status} ${answer.text.slice(0, 200)}`;
  assert.equal(answer.body.error?.code, code, detail);
  assert.equal(answer.status, status, detail);
  assert.equal(answer.body.error.docs, `${docsBase}/docs/errors/${code}`);
  assert.deepEqual([await balance(account), await rows(account)], before);
  return answer;
}

/** An endpoint of each platform. */
const firsts = new Set(platforms.map((one) => endpoints.find(({ platform }) => platform === one)));

for (const endpoint of endpoints) {
  const base = `/v1/${endpoint.path}`;
  const other = platforms.find((platform) => platform !== endpoint.platform) ?? 'maps';
  describe(`GET ${base}`, () => {
    test('demo answers the sample, for nothing and without a key', async () => {
      const [sample] = await casesOf(endpoint);
      assert.ok(sample);
      const { status, body, headers } = await server.ask(`${base}?${await queryOf(endpoint)}&demo=true`);
      assert.equal(status, 200);
      assert.deepEqual(body.data, expectedAnswers(endpoint, sample)[0]);
      assert.equal(body.meta.credits_charged, 0);
      assert.equal(body.meta.credits_remaining, 0);
      assert.match(String(headers['ratelimit-policy']), /^"demo";/);
    });

    test('demo with a key returns the balance and charges nothing; with an invalid key it is still a demo', async () => {
      const url = `${base}?${await queryOf(endpoint)}&demo=true`;
      const before = await balance(rich.id);
      const { body } = await server.ask(url, rich.secret);
      assert.equal(body.meta.credits_remaining, before);
      assert.equal(await balance(rich.id), before);
      for (const secret of [revoked.secret, newSecret(), 'nonsense', unverified.secret]) {
        assert.equal((await server.ask(url, secret)).status, 200);
      }
    });

    test('an answer is charged its price and is in the ledger; the same again is cached, at the same price', async () => {
      await server.serve(endpoint);
      const url = `${base}?${await queryOf(endpoint)}`;
      for (const cached of [false, true]) {
        const before = await balance(rich.id);
        const { status, body } = await server.ask(url, rich.secret);
        assert.equal(status, 200, JSON.stringify(body));
        assert.equal(body.meta.credits_charged, endpoint.credits);
        assert.equal(body.meta.credits_remaining, before - endpoint.credits);
        assert.equal(body.meta.cached, cached);
        assert.equal(await balance(rich.id), before - endpoint.credits);
        const [row] = await rows(rich.id);
        assert.equal(row?.id, body.meta.request_id);
        const { path, credits } = endpoint;
        assert.deepEqual(
          [row?.endpoint, row?.status, row?.credits_charged, row?.credits_refunded, row?.cached],
          [path, 'ok', credits, 0, cached],
        );
        assert.equal(row?.api_key?.name, 'test');
      }
    });

    // The road does these before anything of a row is looked at.
    if (!firsts.has(endpoint)) return;

    test('no key, a bad one and a revoked one are 401', async () => {
      const url = `${base}?${await queryOf(endpoint)}`;
      const { headers } = await refused(url, null, 401, 'missing_api_key');
      assert.equal(headers['www-authenticate'], 'Bearer');
      await refused(url, 'nonsense', 401, 'invalid_api_key');
      await refused(url, newSecret(), 401, 'invalid_api_key');
      const altered = `${rich.secret.slice(0, -1)}${rich.secret.endsWith('0') ? '1' : '0'}`;
      await refused(url, altered, 401, 'invalid_api_key');
      await refused(url, revoked.secret, 401, 'revoked_api_key');
      // An unauthorized caller learns nothing about the parameters either.
      await refused(`${base}?nonsense=1`, null, 401, 'missing_api_key');
    });

    test('a key for another platform, an unconfirmed address, an empty balance and fresh on trial credits are 403', async () => {
      const url = `${base}?${await queryOf(endpoint)}`;
      const key = { account: rich.id, name: endpoint.path, platforms: [other] };
      const { secret } = await server.accounts.createKey(key);
      await refused(url, secret, 403, 'platform_not_allowed');
      await refused(url, unverified.secret, 403, 'email_not_verified', unverified.id);
      await refused(url, poor.secret, 403, 'insufficient_credits', poor.id);
      await refused(`${url}&fresh=true`, trial.secret, 403, 'fresh_not_available', trial.id);
    });

    test('fresh=true reads past the cache for an account that has bought credits', async () => {
      await server.serve(endpoint);
      const url = `${base}?${await queryOf(endpoint)}&fresh=true`;
      const { body } = await server.ask(url, rich.secret);
      assert.equal(body.meta.cached, false);
      assert.equal(body.meta.credits_charged, endpoint.credits);
    });

    test('a failing platform is 502, and the price is refunded', async () => {
      server.pages = routeSource('', [{ pattern: '.', status: 503, body: '' }]);
      const query = await queryOf(endpoint, { fresh: true });
      const before = await balance(rich.id);
      const { status, body } = await server.ask(`${base}?${query}`, rich.secret);
      assert.deepEqual([status, body.error.code], [502, 'platform_unavailable']);
      assert.equal(await balance(rich.id), before);
      const [row] = await rows(rich.id);
      assert.deepEqual(
        [row?.id, row?.status, row?.error_code, row?.credits_charged, row?.credits_refunded],
        [body.error.request_id, 'failed', 'platform_unavailable', 0, endpoint.credits],
      );
    });
  });
}
