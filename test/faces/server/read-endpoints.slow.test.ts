import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { platforms } from '../../../lib/platforms.js';
import { casesOf } from '../../../lib/samples.js';
import { routeSource } from '../../../lib/web/routes.js';
import { docsBase } from '../../support/api-description.js';
import { expectedAnswers } from '../../support/cases.js';
import { callers, queryOf, testServer } from '../../support/server.js';

const server = await testServer();
const { rich, poor, unverified, refused: strangers, keyFor } = await callers(server);
const trial = await server.account();

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
      assert.deepEqual([status, body.data], [200, expectedAnswers(endpoint, sample)[0]]);
      assert.deepEqual([body.meta.credits_charged, body.meta.credits_remaining], [0, 0]);
      assert.match(String(headers['ratelimit-policy']), /^"demo";/);
    });

    test('demo with a key returns the balance and charges nothing; with an invalid key it is still a demo', async () => {
      const url = `${base}?${await queryOf(endpoint)}&demo=true`;
      const before = await balance(rich.id);
      const { body } = await server.ask(url, rich.secret);
      assert.equal(body.meta.credits_remaining, before);
      assert.equal(await balance(rich.id), before);
      for (const [secret] of strangers) assert.equal((await server.ask(url, secret)).status, 200);
    });

    test('an answer is charged its price and is in the ledger; the same again is cached, at the same price', async () => {
      await server.serve(endpoint);
      const url = `${base}?${await queryOf(endpoint)}`;
      for (const cached of [false, true]) {
        const { path, credits } = endpoint;
        const left = (await balance(rich.id)) - credits;
        const { status, body } = await server.ask(url, rich.secret);
        assert.equal(status, 200, JSON.stringify(body));
        const { request_id: id, ...meta } = body.meta;
        assert.partialDeepStrictEqual(meta, { credits_charged: credits, credits_remaining: left, cached });
        assert.equal(await balance(rich.id), left);
        const [row] = await rows(rich.id);
        const charged = {
          id,
          endpoint: path,
          status: 'ok',
          credits_charged: credits,
          credits_refunded: 0,
          cached,
        };
        assert.partialDeepStrictEqual(row, { ...charged, api_key: { name: 'test' } });
      }
    });

    // The road does these before anything of a row is looked at.
    if (!firsts.has(endpoint)) return;

    test('callers without a key, an active one or a confirmed address are refused', async () => {
      const url = `${base}?${await queryOf(endpoint)}`;
      const { headers } = await refused(url, null, 401, 'missing_api_key');
      assert.equal(headers['www-authenticate'], 'Bearer');
      const altered = `${rich.secret.slice(0, -1)}${rich.secret.endsWith('0') ? '1' : '0'}`;
      await refused(url, altered, 401, 'invalid_api_key');
      for (const [secret, status, code] of strangers)
        await refused(url, secret, status, code, secret === unverified.secret ? unverified.id : rich.id);
      // An unauthorized caller learns nothing about the parameters either.
      await refused(`${base}?nonsense=1`, null, 401, 'missing_api_key');
    });

    test('a key for another platform, an empty balance and fresh on trial credits are 403', async () => {
      const url = `${base}?${await queryOf(endpoint)}`;
      await refused(url, await keyFor(other), 403, 'platform_not_allowed');
      await refused(url, poor.secret, 403, 'insufficient_credits', poor.id);
      await refused(`${url}&fresh=true`, trial.secret, 403, 'fresh_not_available', trial.id);
    });

    test('fresh=true reads past the cache for an account that has bought credits', async () => {
      await server.serve(endpoint);
      const url = `${base}?${await queryOf(endpoint)}&fresh=true`;
      const { body } = await server.ask(url, rich.secret);
      assert.partialDeepStrictEqual(body.meta, { cached: false, credits_charged: endpoint.credits });
    });

    test('a failing platform is 502, and the price is refunded', async () => {
      server.pages = routeSource('', [{ pattern: '.', status: 503, body: '' }]);
      const query = await queryOf(endpoint, { fresh: true });
      const before = await balance(rich.id);
      const { status, body } = await server.ask(`${base}?${query}`, rich.secret);
      assert.deepEqual([status, body.error.code], [502, 'platform_unavailable']);
      assert.equal(await balance(rich.id), before);
      const failed = { status: 'failed', error_code: 'platform_unavailable', credits_charged: 0 };
      const refund = { id: body.error.request_id, credits_refunded: endpoint.credits };
      assert.partialDeepStrictEqual((await rows(rich.id))[0], { ...failed, ...refund });
    });
  });
}
