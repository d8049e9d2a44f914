import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { postgresSchema } from '../../../../lib/database/postgres/table-schema.js';
import { packageRoot } from '../../../../lib/runtime/package-root.js';
import { jobsSchema } from '../../../../src/service/jobs/jobs-schema.js';
import { webhooksSchema } from '../../../../src/service/jobs/webhooks/webhooks-schema.js';
import { awakeTime } from '../../../support/awake-time.js';
import { fromSource } from '../../../support/from-source.js';
import { type OpenTestDatabase, openTestDatabase, skipWithoutPostgres } from '../../../support/postgres.js';
import { deliveringNode } from './delivering-node.js';

type Behaviour = (response: ServerResponse, attempt: number) => void;

/** A receiver that notes the deliveries of each attempt. */
async function receiver(t: TestContext, behave: Behaviour) {
  const received: { readonly delivery: unknown; readonly at: number }[] = [];
  const server = createServer((request, response) => {
    received.push({ delivery: request.headers['extract-delivery'], at: Date.now() });
    behave(response, received.length);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

describe('webhooks of several nodes', { skip: skipWithoutPostgres }, () => {
  let database: OpenTestDatabase;
  before(async () => {
    database = await openTestDatabase([jobsSchema, webhooksSchema].map(postgresSchema));
  });
  after(() => database.close());

  let jobs = 0;
  /** A finished job with a webhook, of which nothing was sent. */
  async function finishedJob(
    url: string,
    { account = 'acct_1' }: { readonly account?: string } = {},
  ): Promise<string> {
    jobs += 1;
    const id = `job_${jobs}`;
    await database.postgres.write((queries) =>
      queries.run(
        `INSERT INTO jobs (id, account, endpoint, status, credits, total, completed, lines, created_at, finished_at,
           webhook_url, webhook_state, webhook_id)
         VALUES ($1, $4, 'maps/place', 'done', 1, 1, 1, 1, 1, 1, $2, 'pending', $3)`,
        [id, url, `whd_${jobs}`, account],
      ),
    );
    return id;
  }

  /** A node that works until the test ends. */
  async function node(t: TestContext, isWorking = true) {
    const troubles: unknown[] = [];
    const one = deliveringNode(database.postgres, (cause) => troubles.push(cause));
    if (isWorking) one.deliverer.wake();
    t.after(async () => {
      await one.deliverer.stop();
      assert.deepEqual(troubles, []);
    });
    return one;
  }

  async function begin({ webhooks, deliverer }: Awaited<ReturnType<typeof node>>, job: string) {
    await database.postgres.transaction((queries) => webhooks.begin(queries, job));
    deliverer.wake();
  }

  async function ended({ webhooks }: Awaited<ReturnType<typeof node>>, job: string, account = 'acct_1') {
    for (;;) {
      const delivery = await webhooks.findDelivery(account, job);
      if (delivery.state !== 'pending') return delivery;
      await setTimeout(20);
    }
  }

  test('are attempted at their times, each by one of the nodes', async (t) => {
    const { received, url } = await receiver(t, (response, attempt) =>
      response.writeHead(attempt < 3 ? 503 : 204).end(),
    );
    const nodes = [await node(t), await node(t)] as const;
    const job = await finishedJob(url);
    await begin(nodes[0], job);
    const { state, attempts } = await ended(nodes[1], job);
    assert.deepEqual([state, attempts.map(({ status }) => status)], ['delivered', [503, 503, 204]]);
    const [first, second, third] = received.map(({ at }) => at) as [number, number, number];
    assert.ok(second - first >= 2_000 && third - second >= 4_000, `${received.map(({ at }) => at - first)}`);
    assert.equal(received.length, 3);
  });

  test('that a killed node was sending are sent by another', async (t) => {
    const { received, url } = await receiver(t, (response, attempt) => {
      if (attempt > 1) response.writeHead(204).end();
    });
    const idle = await node(t, false);
    const program = path.join(packageRoot(), 'test/service/jobs/webhooks/delivering-program.ts');
    const child = spawn(process.execPath, [...fromSource, program, database.config.url], {
      stdio: 'inherit',
    });
    const exit = once(child, 'exit');
    const job = await finishedJob(url);
    await database.postgres.transaction((queries) => idle.webhooks.begin(queries, job));
    while (received.length === 0) await setTimeout(20);
    child.kill('SIGKILL');
    await exit;
    const killed = awakeTime();
    const other = await node(t);
    const { state, attempts } = await ended(other, job);
    t.diagnostic(`taken over after ${awakeTime() - killed} ms`);
    // What the killed node sent was not recorded: at least once, under the same id.
    assert.deepEqual([state, attempts.length], ['delivered', 1]);
    assert.deepEqual([...new Set(received.map(({ delivery }) => delivery))], [`whd_${jobs}`]);
    assert.ok(awakeTime() - killed < 25_000);
  });
});
