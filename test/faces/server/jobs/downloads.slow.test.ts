import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { readXlsx } from 'hucre/xlsx';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { CallFunction } from '../../../../src/service/jobs/runner/run-input.js';
import { duckdb } from '../../../files/result-files/harness.js';
import {
  appOf,
  awaitJob,
  type Customer,
  jobsHarness,
  makeJob,
  passSweep,
} from '../../../service/jobs/harness.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { aHarbour } from '../../../support/invented-rows.js';
import { LoopWatch } from '../../../support/loop-watch.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const folder = temporaryFolder();
/** Lists of harbours; inputs whose query begins with `bad` fail. */
const harbours: CallFunction = async (_, params, caller) => {
  const query = String(params.query);
  if (query.startsWith('bad')) throw new ExtractError('place_not_found');
  const json = JSON.stringify([aHarbour({ name: `${query} 1` }), aHarbour({ name: `${query} 2` })]);
  const meta = {
    request_id: caller.requestId ?? '',
    credits_charged: 3,
    credits_remaining: 0,
    cached: false,
  };
  const more = { fetched_at: '2026-01-01T00:00:00.000Z', next_cursor: null };
  return { source: 'platform', json, meta: { ...meta, ...more } };
};

type App = ReturnType<typeof appOf>;

const get = (app: App, { secret }: Customer, url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${secret}`, ...headers } });

const codeOf = (answer: { json(): unknown }) => (answer.json() as { error: { code: string } }).error.code;

describe('GET /v1/jobs/{id}/results?format=…', () => {
  test('sends the results as files that people open, whole and in ranges', async (t) => {
    const all = await jobsHarness(t, { ask: harbours });
    const customer = await all.customer();
    const app = appOf(all);
    const id = await makeJob(all, customer, ['a', 'b', 'bad', 'c']);
    await awaitJob(all, customer, id);
    const url = `/v1/jobs/${id}/results`;
    const lines = (await get(app, customer, url)).payload
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const failed = lines.filter(({ error }) => error !== undefined).length;
    const items = lines.flatMap(({ data }) => data ?? []);
    assert.ok(failed > 0 && items.length > 0);

    const files = new Map<string, string>();
    for (const kind of ['csv', 'xlsx', 'sqlite', 'parquet']) {
      const answer = await get(app, customer, `${url}?format=${kind}`);
      assert.equal(answer.statusCode, 200, answer.payload);
      assert.equal(answer.headers['content-disposition'], `attachment; filename="${id}.${kind}"`);
      assert.equal(Number(answer.headers['content-length']), answer.rawPayload.length);
      const file = path.join(folder, `${id}.${kind}`);
      writeFileSync(file, answer.rawPayload);
      files.set(kind, file);
      const part = await get(app, customer, `${url}?format=${kind}`, { range: 'bytes=3-9' });
      assert.equal(part.statusCode, 206);
      assert.deepEqual(part.rawPayload, answer.rawPayload.subarray(3, 10));
      const head = await app.inject({
        method: 'HEAD',
        url: `${url}?format=${kind}`,
        headers: { authorization: `Bearer ${customer.secret}` },
      });
      const { date: _, 'x-request-id': __, ratelimit: ___, ...expected } = answer.headers;
      assert.deepEqual({ ...head.headers, ...expected }, head.headers);
      assert.equal(head.rawPayload.length, 0);
      // A range is for GET alone (RFC 9110, section 14.2).
      for (const range of ['bytes=3-9', 'bytes=99999999-']) {
        const { statusCode, headers } = await app.inject({
          method: 'HEAD',
          url: `${url}?format=${kind}`,
          headers: { authorization: `Bearer ${customer.secret}`, range },
        });
        const expectedLength = String(answer.rawPayload.length);
        assert.deepEqual([statusCode, headers['content-length']], [200, expectedLength], range);
        assert.equal(headers['content-range'], undefined);
      }
      const behind = await get(app, customer, `${url}?format=${kind}`, { range: 'bytes=99999999-' });
      assert.equal(behind.statusCode, 416);
    }
    assert.equal(
      (parse(await get(app, customer, `${url}?format=csv`).then(({ payload }) => payload)) as unknown[])
        .length,
      1 + items.length + failed,
    );
    const { sheets } = await readXlsx((await get(app, customer, `${url}?format=xlsx`)).rawPayload);
    assert.deepEqual(
      sheets.map(({ rows }) => rows.length),
      [items.length + 1, failed + 1],
    );
    const db = new DatabaseSync(files.get('sqlite') ?? '');
    assert.equal(db.prepare('SELECT count(*) AS n FROM extract_errors').get()?.n, failed);
    db.close();
    const rows = await duckdb(`SELECT * FROM read_parquet('${files.get('parquet')}')`);
    assert.equal(rows.length, items.length + failed);
  });

  test('is created once, and deleted with the results', async (t) => {
    const clock = new FakeClock();
    const all = await jobsHarness(t, { clock, ask: harbours });
    const customer = await all.customer();
    const app = appOf(all);
    const id = await makeJob(all, customer, ['a', 'b']);
    const { finished_at } = await awaitJob(all, customer, id);
    const url = `/v1/jobs/${id}/results?format=xlsx`;
    const answers = await Promise.all([1, 2, 3].map(() => get(app, customer, url)));
    for (const answer of answers) assert.deepEqual(answer.rawPayload, answers[0]?.rawPayload);
    const mine = () => readdirSync(path.join(all.home, 'jobs')).filter((name) => name.startsWith(id));
    assert.ok(mine().includes(`${id}.xlsx`));
    assert.equal(
      mine().some((name) => name.includes('.new')),
      false,
    );
    clock.set(Date.parse(finished_at ?? '') + 7 * 86_400_000);
    await passSweep(clock);
    assert.deepEqual(mine(), []);
    assert.equal(codeOf(await get(app, customer, url)), 'results_expired');
  });

  test('names the version, so that no download is resumed with the bytes of another', async (t) => {
    const all = await jobsHarness(t, { ask: harbours });
    const customer = await all.customer();
    const app = appOf(all);
    const id = await makeJob(all, customer, ['a', 'b']);
    await awaitJob(all, customer, id);
    const range = 'bytes=3-9';
    for (const kind of ['csv', 'xlsx', 'sqlite', 'parquet']) {
      const url = `/v1/jobs/${id}/results?format=${kind}`;
      const { headers } = await get(app, customer, url);
      const etag = String(headers.etag);
      assert.match(etag, /^"[\w-]+"$/, kind);
      const same = await get(app, customer, url, { range, 'if-range': etag });
      assert.deepEqual([same.statusCode, same.headers.etag], [206, etag], kind);
      // Made again, as by another server or for those who were suppressed since.
      rmSync(path.join(all.home, 'jobs', `${id}.${kind}`));
      const other = await get(app, customer, url, { range, 'if-range': etag });
      assert.equal(other.statusCode, 200, kind);
      assert.notEqual(other.headers.etag, etag, kind);
    }
  });

  test('explains what is missing: an unfinished job, another account, other parameters', async (t) => {
    const all = await jobsHarness(t, { start: false });
    const [customer, other] = [await all.customer(), await all.customer()];
    const app = appOf(all);
    const id = await makeJob(all, customer, ['a', 'b']);
    const url = `/v1/jobs/${id}/results?format=csv`;
    const early = await get(app, customer, url);
    assert.deepEqual([early.statusCode, codeOf(early)], [409, 'job_not_finished']);
    assert.equal((await get(app, other, url)).statusCode, 404);
    assert.equal(codeOf(await get(app, customer, `${url}&wait=true`)), 'conflicting_parameters');
    assert.equal(codeOf(await get(app, customer, `${url}&from=1`)), 'conflicting_parameters');
    assert.equal(codeOf(await get(app, customer, `/v1/jobs/${id}/results?format=pdf`)), 'invalid_parameter');
  });
});

describe('large results', () => {
  /** Lists of twenty, with long texts: what a listing's page holds. */
  const longLists: CallFunction = async (endpoint, params, caller, ...rest) => {
    const answer = await harbours(endpoint, params, caller, ...rest);
    const items = Array.from({ length: 20 }, (_, at) =>
      aHarbour({ name: `${String(params.query)} ${at} ${'ä=1,"\n'.repeat(60)}` }),
    );
    return { ...answer, json: JSON.stringify(items) } as typeof answer;
  };

  for (const kind of ['ndjson', 'csv', 'xlsx', 'sqlite', 'parquet']) {
    test(`written as ${kind} block the event loop for no more than 50 ms`, async (t) => {
      const all = await jobsHarness(t, { ask: longLists });
      const customer = await all.customer();
      const app = appOf(all);
      const id = await makeJob(
        all,
        customer,
        Array.from({ length: 400 }, (_, at) => `q${at}`),
      );
      await awaitJob(all, customer, id);
      // The first use of a kind loads what makes it.
      const small = await makeJob(all, customer, ['a']);
      await awaitJob(all, customer, small);
      await get(app, customer, `/v1/jobs/${small}/results?format=${kind}`);
      const address = await app.listen({ host: '127.0.0.1', port: 0 });
      t.after(() => app.close());
      const file = path.join(all.home, 'jobs', `${id}.${kind}`);
      const worst: number[] = [];
      const watch = new LoopWatch();
      t.after(() => watch.stop());
      for (let tries = 0; tries < 3; tries += 1) {
        if (kind !== 'ndjson') rmSync(file, { force: true });
        watch.take();
        const answer = await fetch(`${address}/v1/jobs/${id}/results?format=${kind}`, {
          headers: { authorization: `Bearer ${customer.secret}` },
        });
        assert.equal(answer.status, 200);
        let bytes = 0;
        for await (const chunk of answer.body ?? []) bytes += chunk.length;
        assert.ok(bytes > 100_000, String(bytes));
        worst.push(Math.round(watch.take()));
        if ((worst.at(-1) ?? 0) <= 50) return;
      }
      assert.fail(`it held the loop for ${worst.join(', ')} ms`);
    });
  }
});
