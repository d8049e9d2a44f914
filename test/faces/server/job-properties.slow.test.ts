import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { endpoints } from '../../../lib/endpoints.js';
import { testServer } from '../../support/server.js';

// The account's own operations over what the description allows and what it does not. The test server holds every
// answer against it.
const server = await testServer();
const { id: account, secret } = await server.account({ credits: 900_000_000 });
const runs = { numRuns: 150 };
const headers = { authorization: `Bearer ${secret}` };

async function post(body: string, more: Readonly<Record<string, string>> = {}) {
  const { statusCode, body: text } = await server.app.inject({
    method: 'POST',
    url: '/v1/jobs',
    headers: { ...headers, 'content-type': 'application/json', ...more },
    payload: body,
  });
  return {
    status: statusCode,
    answer: JSON.parse(text),
    detail: `${body.slice(0, 300)} → ${text.slice(0, 300)}`,
  };
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
  test('every job is taken, whatever its inputs say, and its whole price with it', async () => {
    await fc.assert(
      fc.asyncProperty(good, async (job) => {
        const before = (await server.ledger.balance(account)).credits;
        const { status, answer, detail } = await post(JSON.stringify(job));
        assert.equal(status, 202, detail);
        const price = endpoints.find(({ path }) => path === job.endpoint)?.credits ?? 0;
        assert.equal(answer.data.credits_reserved, job.inputs.length * price);
        assert.equal(answer.meta.credits_remaining, before - answer.data.credits_reserved);
        assert.equal((await server.ledger.balance(account)).credits, answer.meta.credits_remaining);
      }),
      runs,
    );
  });

  test('one wrong field among good ones is refused, and nothing is taken', async () => {
    const notText = value.filter((one) => typeof one !== 'string');
    const notObject = value.filter((one) => typeof one !== 'object' || one === null || Array.isArray(one));
    const endpointPaths = new Set<string>(endpoints.map(({ path }) => path));
    const wrong = fc.oneof(
      fc.record({
        endpoint: fc.oneof(
          notText,
          fc.string().filter((one) => !endpointPaths.has(one)),
        ),
      }),
      fc.record({
        inputs: fc.oneof(
          value.filter((one) => !Array.isArray(one)),
          fc.constant([]),
        ),
      }),
      fc.record({ inputs: notObject.map((one) => [{}, one]) }),
      fc.record({
        webhook_url: fc.oneof(
          notText.filter((one) => one !== null),
          fc.webUrl({ validSchemes: ['http', 'ftp'] }),
          fc.string().filter((one) => !URL.canParse(one)),
          fc.ipV4().map((one) => `https://user:password@${one}/`),
        ),
      }),
      fc.dictionary(
        fc.string().filter((one) => !['endpoint', 'inputs', 'webhook_url', '__proto__'].includes(one)),
        value,
        { minKeys: 1, maxKeys: 1 },
      ),
    );
    await fc.assert(
      fc.asyncProperty(good, wrong, async (job, change) => {
        const before = (await server.ledger.balance(account)).credits;
        const { status, detail } = await post(JSON.stringify({ ...job, ...change }));
        assert.ok(status === 400 || status === 404, detail);
        assert.equal((await server.ledger.balance(account)).credits, before);
      }),
      runs,
    );
  });

  test('whatever stands in the body and the key, it is never a fault of ours', async () => {
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

describe('the lists of an account, over what their description allows', () => {
  const limit = fc.integer({ min: 1, max: 100 }).map(String);
  const time = fc
    .date({ min: new Date('2000-01-01'), max: new Date('2099-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString());
  const word = fc.string({ minLength: 1, maxLength: 64 }).filter((text) => text.isWellFormed());
  const filters = { limit, from: time, to: time, endpoint: word, job_id: word };
  const lists = [
    ['/v1/usage', fc.record(filters, { requiredKeys: [] })],
    ['/v1/jobs', fc.record({ limit }, { requiredKeys: [] })],
  ] as const;
  const text = fc.string({ unit: 'binary', maxLength: 100 }).map((one) => one.toWellFormed());

  for (const [path, allowed] of lists) {
    test(`${path} answers what it allows, page after page`, async () => {
      await fc.assert(
        fc.asyncProperty(allowed, async (page) => {
          const first = await server.ask(`${path}?${new URLSearchParams(page as never)}`, secret);
          assert.equal(first.status, 200, JSON.stringify(page) + first.text);
          const cursor = first.body.meta.next_cursor;
          if (cursor === null) return;
          const query = new URLSearchParams({ ...(page as object), cursor: String(cursor) });
          assert.equal((await server.ask(`${path}?${query}`, secret)).status, 200);
        }),
        runs,
      );
    });

    test(`${path} refuses anything else, and never fails`, async () => {
      const names = fc.oneof(fc.constantFrom('limit', 'from', 'to', 'cursor', 'endpoint'), text);
      await fc.assert(
        fc.asyncProperty(fc.dictionary(names, text, { maxKeys: 4 }), async (query) => {
          const { status, text: answerText } = await server.ask(
            `${path}?${new URLSearchParams(query)}`,
            secret,
          );
          assert.ok(status === 200 || status === 400, JSON.stringify(query) + answerText);
        }),
        runs,
      );
    });
  }
});
