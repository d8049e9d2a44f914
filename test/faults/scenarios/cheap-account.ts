import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { hourMs, systemClock } from '../../../lib/runtime/clock.js';
import { openDirectory } from '../../../src/compose/open-store.js';
import { assertBooks } from '../books.js';
import type { CheapAccount, CheapCounts } from '../cheap-account.js';
import { Client } from '../client.js';
import type { Platform } from '../platform.js';
import { type Figures, pause, type Scenario, type Surroundings } from '../scenario.js';

/** Accounts that work. */
const neighbours = 10;
/** Milliseconds by which anything of theirs may be later than without the cheap account. */
const maxLate = 1_000;
/** The same in the short form, which runs wherever the tests do: a slow machine has room. */
const maxLateInShort = 3_000;

interface Homes {
  readonly home: string;
  /** Secrets of the keys of the cheap account; of the others, one each. */
  readonly cheap: readonly string[];
  readonly working: readonly string[];
}

/** Accounts, and what the cheap one left behind earlier: calls that failed and cost nothing, and schedules that are due. */
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

/** Takes webhooks: those of the working accounts are noted, those of the cheap one never answered. */
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
    /** A URL, and when the first webhook came there. */
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
 * Milliseconds that things took, by what they are: of the processor time of the server's main thread. It is what the
 * server does for others meanwhile; how busy the machine is changes little about it.
 */
class Times {
  readonly #times: Record<string, number[]> = {};
  readonly #pid: number;

  constructor(pid: number) {
    this.#pid = pid;
  }

  async measure<T>(what: string, work: () => Promise<T>): Promise<T> {
    const begun = this.#busyMs();
    const done = await work();
    this.#times[what] = [...(this.#times[what] ?? []), this.#busyMs() - begun];
    return done;
  }

  worst(): Readonly<Record<string, number>> {
    return Object.fromEntries(Object.entries(this.#times).map(([what, times]) => [what, Math.max(...times)]));
  }

  p99(what: string): number {
    const times = [...(this.#times[what] ?? [])].sort((a, b) => a - b);
    return times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
  }

  #busyMs(): number {
    const [nanoseconds] = readFileSync(`/proc/${this.#pid}/task/${this.#pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
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
    for (let read = 0; read < 5; read += 1) {
      const asked = `${name}.${read % 2 === 0 ? `known${read}` : `new${round}.${read}`}`;
      const answered = await times.measure('call', () => client.profile(asked));
      assert.equal(answered?.status, 200, JSON.stringify(answered));
      await pause(100);
    }
    const { url, came } = expect(`${name}.${round}`);
    const id = await times.measure('job', async () => {
      const made = await client.job(`${name}.${round}`, [`${name}.known0`], url);
      if (made === null) throw new Error(`A job was not made: ${client.jobRefusal}`);
      await came;
      return made;
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

/** Who is there besides the accounts that work. */
interface Beside {
  /** What it has done so far. */
  counts(): Promise<CheapCounts>;
  end(): Promise<void>;
}

/** What ten accounts wait, of a server of their own or beside what `beside` starts; with every answer checked. */
async function measure(
  { program, platform, ms }: Surroundings,
  { home, working }: Homes,
  name: string,
  beside: (url: string, receiver: string) => Promise<Beside>,
): Promise<{ readonly times: Times; readonly counts: CheapCounts }> {
  const serving = await program.serve(home, {
    env: { ...platform.env, EXTRACT_RATE_LIMIT: '600', EXTRACT_WEBHOOK_ALLOW: '127.0.0.0/8,localhost' },
  });
  const webhooks = await receiver(platform);
  const clients = working.map((secret) => new Client(serving.url, secret));
  let other: Beside | undefined;
  try {
    // The first of each kind loads what all others use.
    const warm = clients.map((client, n) =>
      work(client, `${name}${n}`, new Times(serving.pid), webhooks.expect, 0),
    );
    await Promise.all(warm);
    other = await beside(serving.url, webhooks.never);
    const times = new Times(serving.pid);
    const end = performance.now() + Math.max(ms / 2, 4_000);
    const all = clients.map((client, n) => work(client, `${name}.${n}`, times, webhooks.expect, end));
    await Promise.all(all);
    const counts = await other.counts();
    await other.end();
    serving.child.kill('SIGTERM');
    assert.equal(await serving.ended, 0, serving.output());
    assertBooks(
      { home },
      clients.flatMap(({ answered }) => answered),
    );
    return { times, counts };
  } finally {
    await other?.end();
    webhooks.close();
    serving.child.kill('SIGKILL');
    await Promise.all(clients.map((client) => client.close()));
  }
}

/** Starts the cheap account. */
async function cheap(given: CheapAccount): Promise<Beside> {
  const worker = new Worker(new URL('../cheap-account.ts', import.meta.url), { workerData: given });
  await once(worker, 'message');
  return {
    async counts() {
      worker.postMessage('counts');
      const [counts] = (await once(worker, 'message')) as [CheapCounts];
      return counts;
    },
    end: async () => void (await worker.terminate()),
  };
}

const nobody: Beside = { counts: async () => ({}), end: async () => undefined };

/** One account does all that it may at once, beside ten that work. */
export const cheapAccount: Scenario = {
  name: 'cheap-account',
  about:
    'one account fills webhooks, history, bodies, disk, schedules and downloads at once, beside ten that work',
  skip: () => (process.platform === 'linux' ? null : 'only Linux tells the processor time of a thread'),
  async run(surroundings) {
    const { folder, ms } = surroundings;
    const isShort = ms < 10_000;
    const homes = await prepare(path.join(folder, 'home'), isShort ? 100_000 : 1_000_000, isShort ? 4 : 16);
    const quiet = await measure(surroundings, homes, 'quiet', async () => nobody);
    const beside = await measure(surroundings, homes, 'beside', (url, never) =>
      cheap({
        url,
        keys: homes.cheap,
        receiver: never,
        bodies: isShort ? 20 : 100,
        downloads: isShort ? 60 : 200,
      }),
    );
    const [before, after] = [quiet.times.worst(), beside.times.worst()];
    const figures: Record<string, number | string> = { ...beside.counts };
    for (const [what, longest] of Object.entries(after)) {
      figures[`${what} ms`] =
        `p99 ${Math.round(quiet.times.p99(what))} → ${Math.round(beside.times.p99(what))}, at most ${Math.round(before[what] ?? 0)} → ${Math.round(longest)}`;
    }
    for (const [what, longest] of Object.entries(after)) {
      assert.ok(
        longest - (before[what] ?? 0) <= (isShort ? maxLateInShort : maxLate),
        `${what} is late: ${JSON.stringify(figures)}`,
      );
    }
    return figures satisfies Figures;
  },
};
