import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, test } from 'node:test';
import { Postgres } from '../../../lib/database/postgres/postgres.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { awakeTime } from '../../support/awake-time.js';
import { fromSource } from '../../support/from-source.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { databaseHarness, pauseMs } from './database-harness.js';
import { awaitJob, linesOf, makeJob, newHome, numbered, picky, until } from './harness.js';

/** Gates that calls wait at until they are opened. */
function gate() {
  const opening = new AbortController();
  return {
    open: () => opening.abort(),
    passed: () => (opening.signal.aborted ? Promise.resolve() : once(opening.signal, 'abort')),
  };
}

describe('slices of jobs in PostgreSQL', { skip: skipWithoutPostgres }, () => {
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
            await new Promise((resolve) => setTimeout(resolve, 25));
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
        await new Promise((resolve) => setTimeout(resolve, 20));
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
    const database = await databaseHarness(t);
    const closed = gate();
    t.after(closed.open);
    const node = await database.node({
      ask: async (endpoint, params, caller, signal) => {
        if (Number(String(params.query).slice(1)) >= 40)
          await Promise.race([once(signal, 'abort'), closed.passed()]);
        signal.throwIfAborted();
        return picky(endpoint, params, caller, signal);
      },
    });
    const other = await database.node({ start: false });
    const customer = await node.customer(1000);
    const before = await node.credits(customer.account);
    const id = await makeJob(node, customer, numbered(90));
    await until(async () => (await node.jobs.store.find(customer.account, id)).completed === 40, pauseMs);
    // Cancelled at another node.
    const job = await other.jobs.store.cancel(customer.account, id);
    assert.deepEqual([job.status, job.completed, job.failed], ['cancelled', 40, 50]);
    await awaitJob(node, customer, id);
    const lines = await linesOf(node, customer, id);
    assert.deepEqual(
      lines.map(({ error }) => error?.code),
      lines.map((_, at) => (at < 40 ? undefined : 'job_cancelled')),
    );
    assert.equal(await node.credits(customer.account), before - 120);
  });

  test('continue elsewhere when a node stops', async (t) => {
    const database = await databaseHarness(t);
    const first = await database.node({
      ask: async (endpoint, params, caller, signal) => {
        if (Number(String(params.query).slice(1)) % 100 >= 20) await once(signal, 'abort');
        signal.throwIfAborted();
        return picky(endpoint, params, caller, signal);
      },
    });
    const customer = await first.customer();
    const id = await makeJob(first, customer, numbered(100));
    await until(async () => (await first.jobs.store.find(customer.account, id)).completed === 20, pauseMs);
    const called: string[] = [];
    const second = await database.node({
      ask: async (endpoint, params, caller, signal) => {
        called.push(String(params.query));
        return picky(endpoint, params, caller, signal);
      },
    });
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
    const node = await database.node({
      ask: async (_, __, ___, signal) => {
        await once(signal, 'abort');
        throw signal.reason;
      },
    });
    const { account } = await node.customer();
    const id = await makeJob(node, { account, secret: '', key: { id: 'k', name: 'k' } }, numbered(120));
    await until(async () => (await node.jobs.store.find(account, id)).status === 'running', pauseMs);
    await node.jobs.cancelAll(account);
    await node.opened.accounts.delete(account);
    await node.jobs.forgetDeleted();
    const tables = ['jobs', 'job_inputs', 'job_requests'];
    for (const table of tables) assert.deepEqual(await database.rows(`SELECT 1 FROM ${table}`), [], table);
    await until(async () => {
      const tasks = await database.rows(
        `SELECT 1 FROM extract_engine.job WHERE state IN ('created', 'retry', 'active')`,
      );
      return tasks.length === 0;
    }, pauseMs);
  });
});
