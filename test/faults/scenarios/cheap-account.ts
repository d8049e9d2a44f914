import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { hourMs, systemClock } from '../../../lib/runtime/clock.js';
import { openDirectory } from '../../../src/compose/open-store.js';
import { assertBooks } from '../books.js';
import type { CheapAccount, CheapCounts, CheapOrder } from '../cheap-account.js';
import { Client } from '../client.js';
import type { Platform } from '../platform.js';
import { type Figures, pause, type Scenario, type Surroundings } from '../scenario.js';

/** Milliseconds that the main thread of a process was ready to run and waited for a processor. */
const waitedMs = (pid: number) =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;

/** Accounts that work. */
const neighbours = 10;
/**
 * Milliseconds for which the cheap account alternately rests and works, so that other load on this machine affects
 * both.
 */
const partMs = 4_000;
/** Minimum number of alternations. */
const minRounds = 2;
/** Milliseconds between two reads of a working account. */
const pauseMs = 100;
/** Milliseconds after which nothing that the cheap account started may remain. */
const settleMs = 500;
/** Maximum ratio of their p99 while it works to their p99 while it rests. */
const maxRatio = 2;
/** Maximum additional milliseconds for any of their operations. */
const maxLate = 1_000;
/** The same for the short form, with tolerance for slow machines. */
const maxLateInShort = 3_000;

interface Homes {
  readonly home: string;
  /** Secrets of the cheap account's keys, and one key of each other account. */
  readonly cheap: readonly string[];
  readonly working: readonly string[];
}

/** Accounts, and earlier data of the cheap one: failed calls, which cost nothing, and due schedules. */
async function prepare(home: string, rows: number, schedules: number): Promise<Homes> {
  const early = { ...systemClock, now: () => Date.now() - hourMs };
  const { accounts, ledger, database, jobStores } = await openDirectory(home, early, 0);
  const account = async (name: string, keys: number) => {
    const { id } = await accounts.create({ email: `${name}@example.com`, verified: true, credits: 6_000 });
    const secrets: string[] = [];
    for (let n = 0; n < keys; n += 1) {
      secrets.push((await accounts.createKey({ account: id, name: `${n}`, platforms: null })).secret);
    }
    return { id, secrets };
  };
  const cheap = await account('cheap', 10);
  const working = [];
  for (let n = 0; n < neighbours; n += 1) working.push(...(await account(`ann${n}`, 1)).secrets);
  const end = Date.now() - 2 * hourMs;
  database.db.exec(`
    WITH RECURSIVE calls (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM calls WHERE n + 1 < ${rows})
    INSERT INTO usage (id, account, created_at, charged_at, endpoint, status, error_code, credits_charged, credits_refunded, key_id, key_name)
    SELECT 'req_' || printf('%07d', n), '${cheap.id}', ${end - rows} + n, ${end - rows} + n,
      'maps/place', 'failed', 'invalid_parameter', 0, 3, 'key_1', 'one'
    FROM calls;
    INSERT INTO usage_sums SELECT account, created_at / 86400000 * 86400000, endpoint, key_id, count(*), count(*), 0
    FROM usage GROUP BY 1, 2, 3, 4`);
  const inputs = Array.from({ length: 250 }, () => JSON.stringify({ wrong: 'x'.repeat(60_000) }));
  for (let n = 0; n < schedules; n += 1) {
    const { id } = await jobStores.jobs.create(
      {
        ...{ account: cheap.id, key: undefined, endpoint: 'shortvideo/profile', credits: 3, inputs },
        ...{ webhookUrl: undefined, idempotency: undefined, schedule: { every: '30m' } },
      },
      () => '',
    );
    await jobStores.jobs.cancel(cheap.id, id);
  }
  await ledger.close();
  return { home, cheap: cheap.secrets, working };
}

/** Threads of a process that wait for its disk, without its event loop. */
const diskThreads = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).filter((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').startsWith('libuv-worker'),
  ).length;

/** Receives webhooks: records the working accounts' and never answers the cheap account's. */
async function receiver({ issue }: Platform) {
  const heard = new Map<string, () => void>();
  const server = https.createServer(issue('localhost', '127.0.0.1'), (request, response) => {
    if (request.url === '/never') return;
    heard.get(request.url ?? '')?.();
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    never: `https://localhost:${port}/never`,
    /** A URL, and the time of its first webhook. */
    expect(name: string) {
      const came = new Promise<void>((resolve) => heard.set(`/${name}`, resolve));
      return { url: `https://127.0.0.1:${port}/${name}`, came };
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Durations in milliseconds by operation, without the time in which the server or its client waited for a processor:
 * the longer of the two, as both may have waited at the same time.
 */
class Times {
  readonly #times: Record<string, number[]> = {};
  readonly #pid: number;

  constructor(pid: number) {
    this.#pid = pid;
  }

  async measure<T>(what: string, work: () => Promise<T>): Promise<T> {
    const pids = [this.#pid, process.pid];
    const [startedAt, before] = [performance.now(), pids.map(waitedMs)];
    const done = await work();
    const waited = Math.max(...pids.map((pid, at) => waitedMs(pid) - (before[at] ?? 0)));
    this.#times[what] = [...(this.#times[what] ?? []), performance.now() - startedAt - waited];
    return done;
  }

  /** What was measured. */
  get kinds(): readonly string[] {
    return Object.keys(this.#times);
  }

  /** Returns a percentile of durations. */
  quantile(what: string, share: number): number {
    const times = [...(this.#times[what] ?? [])].sort((a, b) => a - b);
    return times[Math.ceil(times.length * share) - 1] ?? Number.NaN;
  }
}

/** One account that works: reads, and a job with a webhook, its files and a new connection now and then. */
async function work(
  client: Client,
  name: string,
  times: Times,
  expect: Awaited<ReturnType<typeof receiver>>['expect'],
  end: number,
): Promise<void> {
  for (let round = 0; performance.now() < end || round < 2; round += 1) {
    for (let count = 0; count < 5; count += 1) {
      const subject = `${name}.${count % 2 === 0 ? `known${count}` : `new${round}.${count}`}`;
      const answered = await times.measure('call', () => client.profile(subject));
      assert.equal(answered?.status, 200, JSON.stringify(answered));
      await pause(pauseMs);
    }
    const { url, came } = expect(`${name}.${round}`);
    const id = await times.measure('job', async () => {
      const job = await client.job(`${name}.${round}`, [`${name}.known0`], url);
      if (job === null) throw new Error(`A job was not made: ${client.jobRefusal}`);
      await came;
      return job;
    });
    const file = await times.measure('file', () => client.text(`/v1/jobs/${id}/results?format=csv`));
    assert.ok(file.includes(`${name}.known0`), file);
    await times.measure('newcomer', async () => {
      const newcomer = new Client(client.url, '');
      assert.equal((await newcomer.get('/healthz')).status, 200);
      await newcomer.close();
    });
  }
}

/** The cheap account, in a separate thread. `tell` resolves with what it has done once it works, or rests. */
async function cheap(options: CheapAccount) {
  const worker = new Worker(new URL('../cheap-account.ts', import.meta.url), { workerData: options });
  await once(worker, 'message');
  return {
    async tell(order: CheapOrder) {
      worker.postMessage(order);
      const [counts] = (await once(worker, 'message')) as [CheapCounts];
      return counts;
    },
    end: async () => void (await worker.terminate()),
  };
}

interface Measurement {
  /** Durations while the cheap account rests, and while it works. */
  readonly quiet: Times;
  readonly beside: Times;
  readonly counts: CheapCounts;
}

/** Measures the waits of ten accounts while the cheap one alternately rests and works, and checks every answer. */
async function measure(
  { program, platform, ms, random }: Surroundings,
  { home, working, cheap: keys }: Homes,
  connections: Pick<CheapAccount, 'bodies' | 'downloads'>,
): Promise<Measurement> {
  const serving = await program.serve(home, {
    env: { ...platform.env, EXTRACT_RATE_LIMIT: '600', EXTRACT_WEBHOOK_ALLOW: '127.0.0.0/8,localhost' },
  });
  assert.equal(diskThreads(serving.pid), 16);
  const webhooks = await receiver(platform);
  const clients = working.map((secret) => new Client(serving.url, secret));
  const [quiet, beside] = [new Times(serving.pid), new Times(serving.pid)];
  let other: Awaited<ReturnType<typeof cheap>> | undefined;
  let parts = 0;
  const workFor = (times: Times, partMs: number) => {
    parts += 1;
    const end = performance.now() + partMs;
    return Promise.all(
      clients.map(async (client, n) => {
        // Synchronised accounts would all wait for the same moment, which would then be their p99.
        await pause(random() * pauseMs * 2);
        await work(client, `part${parts}.${n}`, times, webhooks.expect, end);
      }),
    );
  };
  try {
    const options = { url: serving.url, keys, receiver: webhooks.never, ...connections };
    other = await cheap(options);
    // The first of each kind loads the modules that all others use.
    let counts = await other.tell('work');
    await workFor(new Times(serving.pid), partMs / 2);
    const end = performance.now() + ms;
    for (let rounds = 0; rounds < minRounds || performance.now() < end; rounds += 1) {
      await other.tell('rest');
      await pause(settleMs);
      await workFor(quiet, partMs);
      await other.tell('work');
      await workFor(beside, partMs);
      counts = await other.tell('work');
    }
    await other.end();
    serving.child.kill('SIGTERM');
    assert.equal(await serving.ended, 0, serving.output());
    assertBooks(
      { home },
      clients.flatMap(({ answered }) => answered),
    );
    return { quiet, beside, counts };
  } finally {
    await other?.end();
    webhooks.close();
    serving.child.kill('SIGKILL');
    await Promise.all(clients.map((client) => client.close()));
  }
}

/** One account does everything allowed at the same time, next to ten that work. */
export const cheapAccount: Scenario = {
  name: 'cheap-account',
  about:
    'one account fills webhooks, history, bodies, disk, schedules and downloads at once, beside ten that work',
  skip: () => (process.platform === 'linux' ? null : 'only Linux tells the processor time of a thread'),
  async run(surroundings) {
    const { folder, ms } = surroundings;
    const isShort = ms < 10_000;
    const homes = await prepare(path.join(folder, 'home'), isShort ? 100_000 : 1_000_000, isShort ? 4 : 16);
    const { quiet, beside, counts } = await measure(surroundings, homes, {
      bodies: isShort ? 20 : 100,
      downloads: isShort ? 60 : 200,
    });
    const figures: Record<string, number | string> = { ...counts };
    const worst = quiet.kinds.map((what) => {
      const [p99, most] = [0.99, 1].map((share) => {
        const [before, after] = [quiet.quantile(what, share), beside.quantile(what, share)];
        return {
          ratio: after / before,
          late: after - before,
          words: `${before.toFixed(0)} → ${after.toFixed(0)}`,
        };
      });
      figures[`${what} ms`] = `p99 ${p99?.words}, at most ${most?.words}`;
      return { what, ratio: p99?.ratio ?? Number.NaN, late: most?.late ?? Number.NaN };
    });
    for (const { what, ratio, late } of worst) {
      const words = `${what}: ${JSON.stringify(figures)}`;
      assert.ok(late <= (isShort ? maxLateInShort : maxLate), `late is ${words}`);
      // The short form has too few samples for a 99th percentile.
      assert.ok(isShort || ratio <= maxRatio, `more than ${maxRatio} times as long takes ${words}`);
    }
    return figures satisfies Figures;
  },
};
