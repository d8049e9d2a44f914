import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { PostgresLedger } from '../../lib/ledger/postgres/postgres-ledger.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { allSchemas } from '../../src/database-tables.js';
import { Engine } from '../../src/jobs/postgres/engine.js';
import { PostgresJobs } from '../../src/jobs/postgres/postgres-jobs.js';
import { ResultsDays } from '../../src/jobs/postgres/results-days.js';
import { SliceStore } from '../../src/jobs/postgres/slice-store.js';
import { RowResults, rowLines } from '../../src/jobs/results/postgres/row-results.js';
import { refusal } from '../ledger/ledger-port.js';
import { type OpenTestDatabase, openTestDatabase, skipWithoutPostgres } from '../support/postgres.js';

describe('results in rows', { skip: skipWithoutPostgres }, () => {
  const account = 'acct_1';
  let database: OpenTestDatabase;
  let ledger: PostgresLedger;
  let engine: Engine;
  let jobs: PostgresJobs;
  let work: SliceStore;
  let results: RowResults;
  before(async () => {
    database = await openTestDatabase(allSchemas());
    const { postgres } = database;
    const clock = systemClock;
    ledger = new PostgresLedger(postgres, clock);
    engine = new Engine({ postgres, clock, onError: () => undefined });
    const days = new ResultsDays(postgres);
    jobs = new PostgresJobs({ postgres, clock, engine, days, owner: ledger.owner });
    work = new SliceStore({
      ...{ postgres, clock, docsBase: 'https://docs.example' },
      beginDelivery: async () => undefined,
    });
    // Another process ends the inputs: nobody tells this one.
    results = new RowResults({ postgres, jobs, nextProgress: () => new Promise(() => undefined), clock });
    const at = new Date().toISOString();
    await ledger.grant({ id: 'pack_1', account, credits: 1_000_000, kind: 'pack', at });
  });
  after(async () => {
    await ledger.close();
    await engine.stop();
    await database.close();
  });

  async function made(total: number): Promise<string> {
    const { id } = await jobs.create(
      {
        ...{ account, key: undefined, endpoint: 'maps/place', credits: 3 },
        ...{ inputs: Array.from({ length: total }, (_, index) => `{"n":${index}}`) },
        ...{ webhookUrl: undefined, idempotency: undefined },
      },
      () => '',
    );
    return id;
  }

  const ending = { status: 'ok', cached: false, credits: 3 } as const;
  const line = (index: number, more = '') => `{"input":{"n":${index}},"data":"Ä${more}"}\n`;
  const end = (id: string, lines: readonly (readonly [number, string])[]) =>
    work.commit(
      id,
      lines.map(([index, text]) => ({ index, line: Buffer.from(text), ending })),
    );

  async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
    const all: Buffer[] = [];
    for await (const chunk of chunks) all.push(chunk);
    return Buffer.concat(all).toString();
  }

  test('are there as far as they have no gap', async () => {
    const id = await made(4);
    const empty = await results.open(account, id);
    assert.deepEqual([empty.bytes, empty.whole, await empty.offsetOf(0)], [0, false, 0]);
    assert.equal(await textOf(empty.read(0, 0)), '');
    for (const index of [0, 1, 3]) await end(id, [[index, line(index)]]);
    const some = await results.open(account, id);
    const two = line(0) + line(1);
    assert.deepEqual([some.bytes, some.whole], [Buffer.byteLength(two), false]);
    assert.deepEqual(
      [await some.offsetOf(1), await some.offsetOf(2), await some.offsetOf(3)],
      [Buffer.byteLength(line(0)), some.bytes, null],
    );
    assert.equal(await textOf(some.read(0, some.bytes)), two);
    await end(id, [[2, line(2)]]);
    const whole = await results.open(account, id);
    assert.ok(whole.whole);
    assert.equal(await textOf(whole.read(0, whole.bytes)), [0, 1, 2, 3].map((index) => line(index)).join(''));
    assert.equal(await textOf(whole.pick([3, 1])), line(3) + line(1));
    assert.equal(
      await textOf(rowLines(database.postgres).read(id)),
      await textOf(whole.read(0, whole.bytes)),
    );
  });

  test('are read from the middle of a line to the middle of another, in pieces of a bounded size', async () => {
    const id = await made(1_300);
    // Long lines in the middle: more than one piece holds.
    const lines = Array.from({ length: 1_300 }, (_, index) =>
      line(index, index >= 600 && index < 604 ? 'x'.repeat(700_000) : ''),
    );
    await end(id, [...lines.entries()]);
    const open = await results.open(account, id);
    const all = Buffer.from(lines.join(''));
    assert.equal(open.bytes, all.length);
    const at = (await open.offsetOf(601)) ?? 0;
    for (const [from, to] of [
      [5, 12],
      [at - 10, at + 700_100],
      [all.length - 20, all.length - 3],
      [0, all.length],
    ] as const) {
      const read = await textOf(open.read(from, to));
      assert.ok(read === all.toString('utf8', from, to), `${from} to ${to}`);
    }
    for await (const chunk of open.read(0, all.length)) assert.ok(chunk.length < 2 * 1024 * 1024);
    let pieces = 0;
    for await (const chunk of rowLines(database.postgres).read(id)) {
      pieces += 1;
      assert.ok(chunk.length <= 32 * 1024);
    }
    assert.ok(pieces > 80);
  });

  test('are followed while another process makes them', async () => {
    const id = await made(3);
    await end(id, [[0, line(0)]]);
    const open = await results.open(account, id);
    const followed = textOf(open.follow(1, AbortSignal.timeout(60_000)));
    await end(id, [[2, line(2)]]);
    await setTimeout(1_200);
    await end(id, [[1, line(1)]]);
    assert.equal(await followed, line(1) + line(2));
    const given = new AbortController();
    const idle = textOf((await results.open(account, await made(1))).follow(0, given.signal));
    given.abort(new Error('enough'));
    await assert.rejects(idle, /enough/);
  });

  test('are refused for another account, and gone with theirs while they are read', async () => {
    const id = await made(1_000);
    await end(
      id,
      Array.from({ length: 1_000 }, (_, index) => [index, line(index)] as const),
    );
    await assert.rejects(results.open('acct_other', id), refusal('job_not_found'));
    const open = await results.open(account, id);
    const reading = open.read(0, open.bytes);
    assert.ok((await reading.next()).value);
    await database.postgres.write((queries) => queries.run('DELETE FROM job_results WHERE job = $1', [id]));
    await assert.rejects(reading.next(), /gone/);
    const lines = rowLines(database.postgres);
    assert.equal(await lines.isKept(id), true);
    assert.equal(await lines.isKept('job_none'), false);
  });
});
