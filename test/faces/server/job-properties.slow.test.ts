import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { endpoints } from '../../../lib/endpoints.js';
import { testServer } from '../../support/server.js';

// The account's own operations over what the description allows and what it does not. The test server holds every
// answer against it.
const server = await testServer();
const { secret } = await server.account({ credits: 900_000_000 });
const runs = { numRuns: 150 };

async function post(body: string, more: Readonly<Record<string, string>> = {}) {
  const { statusCode: status, body: text } = await server.app.inject({
    ...{ method: 'POST', url: '/v1/jobs', payload: body },
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...more },
  });
  return { status, detail: `${body.slice(0, 300)} → ${text.slice(0, 300)}` };
}

// A key that would change an object's prototype makes the whole body invalid, at any depth.
const harmless = fc
  .jsonValue({ maxDepth: 3 })
  .filter((json) => !JSON.stringify(json).includes('"__proto__"'));
const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), harmless);
const name = fc
  .oneof(fc.constantFrom('query', 'url', 'demo', 'limit'), fc.string())
  .filter((one) => one !== '__proto__');
const input = fc.dictionary(name, value, { maxKeys: 4 });
const good = fc.record(
  {
    endpoint: fc.constantFrom(...endpoints.map(({ path }) => path)),
    inputs: fc.array(input, { minLength: 1, maxLength: 20 }),
    webhook_url: fc.webUrl({ validSchemes: ['https'] }),
  },
  { requiredKeys: ['endpoint', 'inputs'] },
);

describe('POST /v1/jobs, over what its description allows', () => {
  test('no body and no key cause an internal error', async () => {
    const body = fc.oneof(
      fc.json(),
      fc.string({ unit: 'binary' }),
      good.map((job) => JSON.stringify(job)),
      good.map((job) => JSON.stringify(job).slice(1)),
    );
    const key = fc.oneof(fc.string({ minLength: 1, maxLength: 300 }), fc.uuid());
    const visible = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '.');
    await fc.assert(
      fc.asyncProperty(body, key, async (text, idempotency) => {
        const { status, detail } = await post(text, { 'idempotency-key': visible(idempotency) });
        assert.ok([202, 400, 404].includes(status), detail);
      }),
      runs,
    );
  });
});

describe('the lists of an account', () => {
  const text = fc.string({ unit: 'binary', maxLength: 100 }).map((one) => one.toWellFormed());

  for (const path of ['/v1/usage', '/v1/jobs']) {
    test(`${path} refuses anything else, and never fails`, async () => {
      const names = fc.oneof(fc.constantFrom('limit', 'from', 'to', 'cursor', 'endpoint'), text);
      await fc.assert(
        fc.asyncProperty(fc.dictionary(names, text, { maxKeys: 4 }), async (query) => {
          const reply = await server.ask(`${path}?${new URLSearchParams(query)}`, secret);
          assert.ok([200, 400].includes(reply.status), JSON.stringify(query) + reply.text);
        }),
        runs,
      );
    });
  }
});
