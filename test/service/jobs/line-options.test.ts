import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { aCoverage } from '../../support/coverage.js';
import { aHarbour } from '../../support/invented-rows.js';
import { answerOf, appOf, awaitJob, type Customer, type JobsHarness, jobsHarness } from './harness.js';

const entry = (position: number) => ({
  ...{ id: `h${position}`, url: null, author: null, position, fetched_at: '2026-01-01T00:00:00.000Z' },
});
const berths = [3, null, 40];

/** Answers three harbours, with their sources if requested; `one` is an object. */
const calls: unknown[] = [];
const ask: CallFunction = async (endpoint, params, { requestId }) => {
  calls.push(params);
  const items = berths.map((count) => aHarbour({ berths: count }));
  const sources = berths.map((_, at) => entry(at + 1));
  return {
    ...answerOf(endpoint.many ? items : items[0], requestId),
    coverage: aCoverage({ given: 3, ended: 'visitors' }),
    ...(params.sources === true
      ? { sources: JSON.stringify(endpoint.many ? sources : sources.slice(0, 1)) }
      : {}),
  };
};

const inputs = [{ query: 'a' }];
const many = { endpoint: 'maps/harbours', inputs };
const one = { endpoint: 'maps/harbour', inputs: [{ id: 'x' }] };

async function post(all: JobsHarness, { secret }: Customer, body: object, key = '') {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const answer = await appOf(all).inject({
    ...{ method: 'POST', url: '/v1/jobs', payload: JSON.stringify(body) },
    headers: key === '' ? headers : { ...headers, 'idempotency-key': key },
  });
  return {
    status: answer.statusCode,
    ...(answer.json() as { data: { id: string }; error: { code: string; message: string } }),
  };
}

/** Creates a job from a body and returns the text of its results. */
async function results(all: JobsHarness, customer: Customer, body: object, query = ''): Promise<string> {
  const { status, data } = await post(all, customer, body);
  assert.equal(status, 202);
  await awaitJob(all, customer, data.id);
  const { secret } = customer;
  const url = `/v1/jobs/${data.id}/results${query}`;
  return (await appOf(all).inject({ url, headers: { authorization: `Bearer ${secret}` } })).payload;
}

describe('what the lines of a job say', () => {
  test('by default the same as in every earlier version', async (t) => {
    const all = await jobsHarness(t, { ask });
    const text = await results(all, await all.customer(), many);
    const items = berths.map((count) => aHarbour({ berths: count }));
    assert.equal(text, `${JSON.stringify({ input: inputs[0], data: items })}\n`);
    assert.deepEqual(calls.at(-1), inputs[0]);
  });

  test('sources on request, and the unchanged input', async (t) => {
    const all = await jobsHarness(t, { ask });
    const customer = await all.customer();
    const line = JSON.parse(await results(all, customer, { ...many, sources: true }));
    assert.deepEqual(line.input, inputs[0]);
    assert.deepEqual(line.sources, [1, 2, 3].map(entry));
    assert.deepEqual(Object.keys(line), ['input', 'data', 'sources', 'coverage']);
    assert.deepEqual(line.coverage, aCoverage({ given: 3, ended: 'visitors' }));
    const own = { ...many, inputs: [{ query: 'a', sources: false }], sources: true };
    assert.equal('sources' in JSON.parse(await results(all, customer, own)), false);
  });

  test('the items that a condition is true of, and how many it left out', async (t) => {
    const all = await jobsHarness(t, { ask });
    const customer = await all.customer();
    const line = JSON.parse(await results(all, customer, { ...many, sources: true, when: 'berths <= 12' }));
    const counts = line.data.map((item: { berths: number }) => item.berths);
    assert.deepEqual(counts, [3]);
    assert.deepEqual([line.sources, line.left_out], [[entry(1)], 2]);
    const before = await all.credits(customer.account);
    const none = JSON.parse(await results(all, customer, { ...many, when: 'berths > 100' }));
    assert.deepEqual(none, { input: inputs[0], data: [], left_out: 3 });
    assert.equal(before - (await all.credits(customer.account)), 3, 'whatever is left of an answer');
  });

  test('a condition may use positions without adding sources to the line', async (t) => {
    const all = await jobsHarness(t, { ask });
    const line = JSON.parse(
      await results(all, await all.customer(), { ...many, when: 'source.position >= 3' }),
    );
    assert.deepEqual([line.data.length, line.left_out, 'sources' in line], [1, 2, false]);
    assert.deepEqual(calls.at(-1), { ...inputs[0], sources: true });
  });

  test('null for an object that does not meet the condition, and no row in a file', async (t) => {
    const all = await jobsHarness(t, { ask });
    const customer = await all.customer();
    const body = { ...one, sources: true };
    const filtered = JSON.parse(await results(all, customer, { ...body, when: 'berths == 3' }));
    assert.deepEqual([filtered.data.berths, filtered.sources, filtered.left_out], [3, [entry(1)], 0]);
    const none = { ...body, when: 'berths == 4' };
    const left = JSON.parse(await results(all, customer, none));
    assert.deepEqual(left, { input: one.inputs[0], data: null, left_out: 1 });
    const csv = await results(all, customer, none, '?format=csv');
    assert.match(csv, /^[^\n]*source_id,source_url,.*fetched_at[^\n]*\s*$/);
  });

  test('an invalid condition is refused with its position, before anything is reserved', async (t) => {
    const all = await jobsHarness(t, { start: false });
    const customer = await all.customer(100);
    const before = await all.credits(customer.account);
    // The language of conditions is tested with the lines.
    const wrong: readonly [unknown, RegExp][] = [
      ['berths <=', /^The field when cannot be read at character 10: /],
      ['berthes <= 2', /at character 1: there is no field “berthes”. Did you mean/],
      ['name.matches("(a+)+$")', /a server does not accept matches\(\)/],
      ['tags.exists(one, tags.exists(two, one == two))', /one at a time/],
      [`berths > ${'1'.repeat(1000)}`, /at most 1000 characters/],
      [7, /must be a condition/],
    ];
    for (const [when, message] of wrong) {
      const { status, error } = await post(all, customer, { ...many, when });
      assert.deepEqual([status, error.code], [400, 'invalid_parameter'], String(when));
      assert.match(error.message, message);
    }
    const { status, error } = await post(all, customer, { ...many, sources: 'yes' });
    assert.deepEqual([status, error.code], [400, 'invalid_parameter']);
    assert.equal(await all.credits(customer.account), before);
  });

  test('an idempotency key covers what the lines say', async (t) => {
    const all = await jobsHarness(t, { start: false });
    const customer = await all.customer();
    const first = await post(all, customer, { ...many, sources: true }, 'k');
    assert.deepEqual((await post(all, customer, { ...many, sources: true }, 'k')).data, first.data);
    assert.equal((await post(all, customer, many, 'k')).error.code, 'idempotency_mismatch');
  });
});
