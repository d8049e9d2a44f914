import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Postgres } from '../../../lib/database/postgres/postgres.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { awakeTime } from '../../support/awake-time.js';
import { fromSource } from '../../support/from-source.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { databaseHarness, pauseMs } from './database-harness.js';
import { awaitJob, linesOf, makeJob, newHome, numbered, picky, until } from './harness.js';

/** Inputs whose number, within their slice of 100, is not below a limit wait until they are aborted. */
const endsBelow =
  (limit: number, called: string[] = []): CallFunction =>
  async (endpoint, params, caller, signal) => {
    called.push(String(params.query));
    if (Number(String(params.query).slice(1)) % 100 >= limit) await once(signal, 'abort');
    signal.throwIfAborted();
    return picky(endpoint, params, caller, signal);
  };

describe('slices of jobs in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  /** A job of so many inputs at a node that answers some of them; waits until those have ended. */
  async function begun(t: TestContext, count: number, limit: number) {
    const database = await databaseHarness(t);
    const node = await database.node({ ask: endsBelow(limit) });
    const customer = await node.customer();
    const { account } = customer;
    const id = await makeJob(node, customer, numbered(count));
    await until(async () => (await node.jobs.store.find(account, id)).completed === limit, pauseMs);
    return { database, node, customer, id };
  }

  test('do not lock the balance while the inputs of their job are written', async (t) => {
    const database = await databaseHarness(t);
    const node = await database.node();
    const customer = await node.customer();
    const postgres = await Postgres.open({ ...database.config, connections: 1 }, systemClock);
    t.after(() => postgres.close());
    for (const table of ['job_inputs', 'usage']) {
      const slice = await postgres.transaction(async (queries) => {
        // Blocks other inserts until this transaction ends.
        await queries.run(`LOCK TABLE ${table} IN SHARE MODE`);
        const making = makeJob(node, customer, numbered(3));
        const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass`;
        await until(async () => (await database.rows(waiting)).length > 0, pauseMs);
        await queries.run('SELECT 1 FROM balances WHERE id = $1 FOR UPDATE NOWAIT', [customer.account]);
        return { making };
      });
      await awaitJob(node, customer, await slice.making);
    }
  });

  test('are shared by nodes, and each input is called once', async (t) => {
    const database = await databaseHarness(t);
    const called: string[][] = [[], []];
    const nodes = await Promise.all(
      called.map((mine) =>
        database.node({
          ask: async (endpoint, params, caller, signal) => {
            mine.push(String(params.query));
            await setTimeout(25);
            return picky(endpoint, params, caller, signal);
          },
        }),
      ),
    );
    const [first, second] = nodes;
    assert.ok(first && second);
    const customer = await first.customer();
    const queries = numbered(1200);
    const id = await makeJob(first, customer, queries);
    const lines: string[] = [];
    // Followed at the node that did not make it.
    const results = await second.jobs.results.open(customer.account, id);
    for await (const chunk of results.follow(0, new AbortController().signal)) lines.push(chunk.toString());
    assert.equal(lines.join('').split('\n').length, 1201);
    const lineQueries = (await linesOf(second, customer, id)).map(({ input }) => input.query);
    assert.deepEqual(lineQueries, queries);
    assert.deepEqual(called.flat().toSorted(), queries.toSorted());
    assert.ok(called.every((mine) => mine.length > 0));
  });

  test('let three inputs overtake ten thousand, even of the same account', async (t) => {
    const database = await databaseHarness(t);
    const node = await database.node({
      ask: async (endpoint, params, caller, signal) => {
        await setTimeout(20);
        return picky(endpoint, params, caller, signal);
      },
    });
    const [large, small] = [await node.customer(), await node.customer()];
    const long = await makeJob(node, large, numbered(10_000));
    await until(async () => (await node.jobs.store.find(large.account, long)).completed > 0, pauseMs);
    for (const customer of [small, large]) {
      const id = await makeJob(node, customer, numbered(3));
      await awaitJob(node, customer, id);
    }
    const { completed } = await node.jobs.store.find(large.account, long);
    assert.ok(completed < 5000, `${completed}`);
  });

  test('stop on every node when their job is cancelled, and the rest is refunded', async (t) => {
    const { database, node, customer, id } = await begun(t, 90, 40);
    const other = await database.node({ start: false });
    const before = await node.credits(customer.account);
    // Cancelled at another node.
    const job = await other.jobs.store.cancel(customer.account, id);
    assert.deepEqual([job.status, job.completed, job.failed], ['cancelled', 40, 50]);
    await awaitJob(node, customer, id);
    const codes = (await linesOf(node, customer, id)).map(({ error }) => error?.code);
    assert.deepEqual(codes, [...Array(40).fill(undefined), ...Array(50).fill('job_cancelled')]);
    assert.equal(await node.credits(customer.account), before + 150);
  });

  test('continue elsewhere when a node stops', async (t) => {
    const { database, node: first, customer, id } = await begun(t, 100, 20);
    const called: string[] = [];
    const second = await database.node({ ask: endsBelow(100, called) });
    await first.close();
    await awaitJob(second, customer, id);
    assert.equal(called.length, 80);
    assert.equal((await linesOf(second, customer, id)).length, 100);
  });

  test('run elsewhere within fifteen seconds after a kill, and each input ends once', async (t) => {
    const database = await databaseHarness(t);
    const idle = await database.node({ start: false });
    const customer = await idle.customer();
    const program = path.join(packageRoot(), 'test/service/jobs/slicing-program.ts');
    const url = `${database.config.url}?application_name=killed`;
    const child = spawn(process.execPath, [...fromSource, program, url, newHome(t)], { stdio: 'inherit' });
    const exit = once(child, 'exit');
    const id = await makeJob(idle, customer, numbered(300));
    await until(async () => (await idle.jobs.store.find(customer.account, id)).completed >= 40, pauseMs);
    const query = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'killed'`;
    assert.ok((await database.rows(query)).length > 0);
    child.kill('SIGKILL');
    await exit;
    const killed = awakeTime();
    // What it had sent is still carried out.
    await until(async () => (await database.rows(query)).length === 0, pauseMs);
    const { completed } = await idle.jobs.store.find(customer.account, id);
    const called: string[] = [];
    const began: number[] = [];
    const other = await database.node({
      ask: async (endpoint, params, caller, signal) => {
        called.push(String(params.query));
        // A slice that nobody had taken up says nothing of a takeover.
        if (Number(String(params.query).slice(1)) < 100) began.push(awakeTime());
        return picky(endpoint, params, caller, signal);
      },
    });
    await awaitJob(other, customer, id);
    const takeover = (began[0] ?? Number.POSITIVE_INFINITY) - killed;
    t.diagnostic(`taken over after ${takeover} ms`);
    assert.ok(takeover <= 15_000, `${takeover}`);
    assert.equal(called.length, 300 - completed);
    const lines = await linesOf(other, customer, id);
    const lineQueries = lines.map(({ input }) => input.query);
    assert.deepEqual(lineQueries, numbered(300));
    const [books] = await database.rows<{ balance: number; due: number }>(
      `SELECT balance, (SELECT sum(credits) FROM grants) - (SELECT sum(credits_charged) FROM usage) AS due FROM balances`,
    );
    assert.equal(books?.balance, books?.due);
  });

  test('are sent again if the engine lost their tasks', async (t) => {
    const database = await databaseHarness(t);
    const idle = await database.node({ start: false });
    const customer = await idle.customer();
    const id = await makeJob(idle, customer, numbered(150));
    const cancelled = await makeJob(idle, customer, numbered(3));
    await idle.jobs.store.cancel(customer.account, cancelled);
    await database.rows('DELETE FROM extract_engine.job');
    const node = await database.node();
    for (const one of [id, cancelled]) await awaitJob(node, customer, one);
    assert.equal((await linesOf(node, customer, cancelled)).length, 3);
  });

  test('stop when their account is deleted, and leave nothing', async (t) => {
    const database = await databaseHarness(t);
    const node = await database.node({ ask: endsBelow(0) });
    const customer = await node.customer();
    const { account } = customer;
    const id = await makeJob(node, customer, numbered(120));
    await until(async () => (await node.jobs.store.find(account, id)).status === 'running', pauseMs);
    await node.jobs.cancelAll(account);
    await node.opened.accounts.delete(account);
    await node.jobs.forgetDeleted();
    for (const table of ['jobs', 'job_inputs', 'job_requests'])
      assert.deepEqual(await database.rows(`SELECT 1 FROM ${table}`), [], table);
    const tasks = `SELECT 1 FROM extract_engine.job WHERE state IN ('created', 'retry', 'active')`;
    await until(async () => (await database.rows(tasks)).length === 0, pauseMs);
  });
});
