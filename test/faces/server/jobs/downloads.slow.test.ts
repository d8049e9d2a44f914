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
import { awaitJob, makeJob, numbered, passSweep } from '../../../service/jobs/harness.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { aHarbour } from '../../../support/invented-rows.js';
import { LoopWatch } from '../../../support/loop-watch.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { clientOf, codeOf, jobsApp } from './jobs-app.js';

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

/** A job that has ended. */
async function madeJob(...[all, customer, queries]: Parameters<typeof makeJob>): Promise<string> {
  const id = await makeJob(all, customer, queries);
  await awaitJob(all, customer, id);
  return id;
}

describe('GET /v1/jobs/{id}/results?format=…', () => {
  const kinds = ['csv', 'xlsx', 'sqlite', 'parquet'] as const;

  test('sends the results as files that people open, whole and in ranges', async (t) => {
    const { all, customer, get, head } = await jobsApp(t, { ask: harbours });
    const id = await madeJob(all, customer, ['a', 'b', 'bad', 'c']);
    const url = `/v1/jobs/${id}/results`;
    const lines = (await get(url)).payload
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const failed = lines.filter(({ error }) => error !== undefined).length;
    const items = lines.flatMap(({ data }) => data ?? []).length;
    assert.ok(failed > 0 && items > 0);

    const files: Record<string, Buffer> = {};
    for (const kind of kinds) {
      const file = `${url}?format=${kind}`;
      const answer = await get(file);
      const bytes = answer.rawPayload;
      assert.equal(answer.statusCode, 200, answer.payload);
      assert.equal(answer.headers['content-disposition'], `attachment; filename="${id}.${kind}"`);
      assert.equal(Number(answer.headers['content-length']), bytes.length);
      files[kind] = bytes;
      writeFileSync(path.join(folder, `downloaded.${kind}`), bytes);
      const part = await get(file, { range: 'bytes=3-9' });
      assert.deepEqual([part.statusCode, part.rawPayload], [206, bytes.subarray(3, 10)]);
      assert.equal((await get(file, { range: 'bytes=99999999-' })).statusCode, 416);
      const { date: _, 'x-request-id': __, ratelimit: ___, ...expected } = answer.headers;
      // A range is for GET alone (RFC 9110, section 14.2).
      for (const headers of [{}, { range: 'bytes=3-9' }, { range: 'bytes=99999999-' }]) {
        const headed = await head(file, headers);
        assert.deepEqual([headed.statusCode, headed.rawPayload.length], [200, 0]);
        assert.deepEqual({ ...headed.headers, ...expected }, headed.headers);
        assert.equal(headed.headers['content-range'], undefined);
      }
    }
    assert.equal((parse(String(files.csv)) as unknown[]).length, 1 + items + failed);
    const { sheets } = await readXlsx(files.xlsx ?? Buffer.of());
    assert.deepEqual(
      sheets.map(({ rows }) => rows.length),
      [items + 1, failed + 1],
    );
    const db = new DatabaseSync(path.join(folder, 'downloaded.sqlite'));
    assert.equal(db.prepare('SELECT count(*) AS n FROM extract_errors').get()?.n, failed);
    db.close();
    const rows = await duckdb(`SELECT * FROM read_parquet('${path.join(folder, 'downloaded.parquet')}')`);
    assert.equal(rows.length, items + failed);
  });

  test('is created once, and deleted with the results', async (t) => {
    const clock = new FakeClock();
    const { all, customer, get } = await jobsApp(t, { clock, ask: harbours });
    const id = await makeJob(all, customer, ['a', 'b']);
    const { finished_at } = await awaitJob(all, customer, id);
    const url = `/v1/jobs/${id}/results?format=xlsx`;
    const answers = await Promise.all([1, 2, 3].map(() => get(url)));
    for (const answer of answers) assert.deepEqual(answer.rawPayload, answers[0]?.rawPayload);
    const mine = () => readdirSync(path.join(all.home, 'jobs')).filter((name) => name.startsWith(id));
    assert.ok(mine().includes(`${id}.xlsx`));
    assert.ok(!mine().some((name) => name.includes('.new')));
    clock.set(Date.parse(finished_at ?? '') + 7 * 86_400_000);
    await passSweep(clock);
    assert.deepEqual(mine(), []);
    assert.equal(codeOf(await get(url)), 'results_expired');
  });

  test('names the version, so that no download is resumed with the bytes of another', async (t) => {
    const { all, customer, get } = await jobsApp(t, { ask: harbours });
    const id = await madeJob(all, customer, ['a', 'b']);
    for (const kind of kinds) {
      const url = `/v1/jobs/${id}/results?format=${kind}`;
      const etag = String((await get(url)).headers.etag);
      assert.match(etag, /^"[\w-]+"$/, kind);
      const resume = () => get(url, { range: 'bytes=3-9', 'if-range': etag });
      const same = await resume();
      assert.deepEqual([same.statusCode, same.headers.etag], [206, etag], kind);
      // Made again, as by another server or for those who were suppressed since.
      rmSync(path.join(all.home, 'jobs', `${id}.${kind}`));
      const other = await resume();
      assert.equal(other.statusCode, 200, kind);
      assert.notEqual(other.headers.etag, etag, kind);
    }
  });

  test('explains what is missing: an unfinished job, another account, other parameters', async (t) => {
    const { all, app, customer, get } = await jobsApp(t, { start: false });
    const id = await makeJob(all, customer, ['a', 'b']);
    const url = `/v1/jobs/${id}/results?format`;
    assert.equal(codeOf(await clientOf(app, await all.customer()).get(`${url}=csv`)), 'job_not_found');
    for (const [query, code] of [
      ['csv', 'job_not_finished'],
      ['csv&wait=true', 'conflicting_parameters'],
      ['csv&from=1', 'conflicting_parameters'],
      ['pdf', 'invalid_parameter'],
    ] as const)
      assert.equal(codeOf(await get(`${url}=${query}`)), code, query);
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
      const { all, customer, app, get } = await jobsApp(t, { ask: longLists });
      const id = await madeJob(all, customer, numbered(400));
      // The first use of a kind loads what makes it.
      const small = await madeJob(all, customer, ['a']);
      await get(`/v1/jobs/${small}/results?format=${kind}`);
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
