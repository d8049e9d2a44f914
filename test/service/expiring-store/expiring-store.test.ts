import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { SharedDrafts } from '../../../src/faces/dashboard/jobs/shared-drafts.js';
import { SubmittedForms } from '../../../src/faces/dashboard/submitted-forms.js';
import { SharedAnswers } from '../../../src/faces/mcp/shared-answers.js';
import {
  PostgresExpiringStore,
  transientSchema,
} from '../../../src/service/expiring-store/postgres/postgres-expiring-store.js';
import { InputTexts } from '../../../src/service/jobs/job-limits.js';
import { parseJobRequest } from '../../../src/service/jobs/job-request.js';
import { anyEndpoint } from '../../faces/mcp/call-tool.js';
import { FakeClock } from '../../support/fake-clock.js';
import { type OpenTestDatabase, openTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';

describe('what servers of a database need for a while', { skip: skipWithoutPostgres }, () => {
  let database: OpenTestDatabase;
  let texts: PostgresExpiringStore;
  before(async () => {
    database = await openTestDatabase([transientSchema]);
    texts = new PostgresExpiringStore(database.postgres);
  });
  after(() => database.close());

  /** Lets time pass in the database: every text ends so much earlier. */
  const pass = (ms: number) =>
    database.postgres.write((queries) =>
      queries.run('UPDATE transient_texts SET ends_at = ends_at - $1', [ms]),
    );
  const put = (id: string, more: { owner?: string; value?: string; lifetimeMs?: number } = {}, most = 3) =>
    texts.put({ kind: 'k', id, owner: 'a', value: 'text', lifetimeMs: 60_000, ...more }, most);

  test('a text is found as it was, under its kind and id, until its end', async () => {
    const value = JSON.stringify({ name: 'Café 東 🏝', zero: '\\u0000' });
    await put('x', { value });
    assert.deepEqual(await texts.find('k', 'x'), { owner: 'a', value });
    assert.equal(await texts.find('other', 'x'), undefined);
    assert.equal(await texts.find('k', 'y'), undefined);
    await put('x', { value: 'later' });
    assert.equal((await texts.find('k', 'x'))?.value, 'later');
    await pass(59_000);
    assert.ok(await texts.find('k', 'x'));
    await pass(1_000);
    assert.equal(await texts.find('k', 'x'), undefined);
  });

  test('of one owner only so many stay, and others lose none', async () => {
    await put('theirs', { owner: 'b' });
    for (const [at, id] of ['1', '2', '3', '4'].entries()) await put(id, { lifetimeMs: 60_000 + at }, 3);
    assert.equal(await texts.find('k', '1'), undefined);
    for (const id of ['2', '3', '4', 'theirs']) assert.ok(await texts.find('k', id), id);
    await texts.delete('k', '3');
    assert.equal(await texts.find('k', '3'), undefined);
  });

  test('expired texts are deleted as new ones arrive', async () => {
    await pass(1e9);
    await put('new');
    const rows = await database.postgres.read((queries) => queries.rows('SELECT id FROM transient_texts'));
    assert.deepEqual(rows, [{ id: 'new' }]);
  });

  test('one of many claims an ID, and another once it is released or expired', async () => {
    const claims = async () => {
      const all = await Promise.all(Array.from({ length: 8 }, () => texts.claim('form', 'f', 60_000)));
      return all.filter(Boolean).length;
    };
    assert.equal(await claims(), 1);
    assert.equal(await claims(), 0);
    await texts.delete('form', 'f');
    assert.equal(await claims(), 1);
    await pass(60_000);
    assert.equal(await claims(), 1);
  });

  test('one server accepts a form, and another only if that failed', async () => {
    const [one, other] = [texts, new PostgresExpiringStore(database.postgres)].map(
      (store) => new SubmittedForms(store, new FakeClock()),
    );
    const form = { url: '/dashboard/keys', body: { _csrf: 'token', name: 'laptop' } };
    const fault = new Error('full');
    await assert.rejects(one?.once(form, () => Promise.reject(fault)) ?? Promise.resolve(), fault);
    assert.equal(await other?.once(form, async () => 'a key'), 'a key');
    assert.equal(await one?.once(form, async () => 'another key'), undefined);
    assert.equal(await other?.once(form, async () => 'another key'), 'a key');
  });

  test('a draft is the same on another server, for its account alone', async () => {
    const [one, other] = [1, 2].map(() => new SharedDrafts(texts, endpoints));
    const queries = Array.from({ length: 5_000 }, (_, n) => JSON.stringify({ query: `café ${n}` }));
    const order = { endpoint: anyEndpoint.path, name: 'mine', schedule: '0 6 * * *' };
    const inputs = new InputTexts(queries);
    const request = await parseJobRequest({ ...order, inputs }, endpoints, 'acct_a');
    const checked = {
      ...{ endpoint: anyEndpoint.path, inputs: 5_000, wrong: 0, problems: [] },
      ...{ calls: 5_000, credits_each: 1, credits: 5_000 },
    };
    const draft = await one?.add({
      ...{ account: 'acct_a', source: 'a pasted text', checked, first: ['{}'], unreadable: 0, key: null },
      ...{ request, soundRequest: null },
    });
    const sharedDraft = await other?.find('acct_a', draft?.id ?? '');
    const { endpoint, digest } = request;
    assert.deepEqual(sharedDraft?.request?.inputs, request.inputs);
    assert.partialDeepStrictEqual(sharedDraft?.request, { endpoint, digest });
    const noon = Date.UTC(2026, 10, 5, 12);
    assert.equal(sharedDraft?.request?.schedule?.next(noon, noon), request.schedule?.next(noon, noon));
    assert.deepEqual({ ...sharedDraft, request: null }, { ...draft, request: null });
    assert.equal(await other?.find('acct_b', draft?.id ?? ''), undefined);
    assert.equal(await other?.find('acct_a', 'draft_other'), undefined);
  });

  test('an answer is found by its account on every server, and a failed write fails no call', async () => {
    const [one, other] = [1, 2].map(() => new SharedAnswers(texts));
    const meta = {
      ...{ request_id: 'req_1', credits_charged: 3, credits_remaining: 7, cached: false },
      ...{ fetched_at: '2026-01-01T00:00:00.000Z', next_cursor: null },
    };
    const answer = { source: 'platform' as const, json: '{"name":"東"}', meta };
    const call = { endpoint: anyEndpoint, account: 'acct_a', demo: false, edition: '', answer };
    await one?.add(call);
    assert.deepEqual(await other?.find('req_1', 'acct_a'), call);
    assert.equal(await other?.find('req_1', 'acct_b'), undefined);
    const huge = { ...answer, json: 'x'.repeat(5_000_000), meta: { ...meta, request_id: 'req_2' } };
    await one?.add({ ...call, answer: huge });
    assert.equal(await other?.find('req_2', 'acct_a'), undefined);
    await database.postgres.write((queries) => queries.run('DROP TABLE transient_texts'));
    await one?.add(call);
  });
});
