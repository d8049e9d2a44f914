import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { withoutPostgres } from '../../support/postgres-cluster.js';
import { refusedOf } from '../books.js';
import { Client, load } from '../client.js';
import { pause, type Scenario, type Surroundings, until } from '../scenario.js';
import { withSharedState } from '../shared-state.js';
import { mountSmall, withoutSmallFileSystem } from '../small-file-system.js';

/**
 * What is on the small disk. With its write-ahead log elsewhere, the database refuses writes and keeps running. With
 * the log on it as well, the database exits, and cannot start again until there is space.
 */
type SmallPart = 'tables' | 'all';

const megabytes = 96;
/** Milliseconds after the first refusal within which health must say so. */
const reportMs = 2_500;
/** Milliseconds within which calls must succeed once the database has space. */
const backMs = 10_000;
/** Small log files of a megabyte, so that the write-ahead log soon needs space. */
const logSettings = { wal_recycle: 'off', min_wal_size: '2MB', max_wal_size: '4MB' };
const refusal: Readonly<Record<SmallPart, RegExp>> = {
  tables: /disk of the database is full/,
  all: /disk of the database is full|cannot be reached|unknown whether it was saved/,
};

interface Counts {
  fills: number;
  answers: number;
  refused: number;
  reported: number;
  slowest: number;
}

async function fillAndEmpty(
  part: SmallPart,
  surroundings: Surroundings,
  ms: number,
  counts: Counts,
): Promise<void> {
  const { random } = surroundings;
  const mounted = mkdtempSync(path.join(os.tmpdir(), 'extract-small-'));
  chmodSync(mounted, 0o755);
  const disk = mountSmall(mounted, megabytes, '755');
  try {
    const small = {
      ...{ within: mounted, walFile: 1, settings: logSettings },
      ...(part === 'tables' ? { walWithin: os.tmpdir() } : {}),
    };
    await withSharedState(
      surroundings,
      async (state) => {
        const server = await state.serve('api', `server-${part}`);
        const worker = await state.serve('worker', `worker-${part}`);
        const client = new Client(server.url, state.secret);
        const jobs = new Map<string, readonly string[]>();
        const end = performance.now() + ms;
        let rounds = 0;
        while (performance.now() < end || rounds < 1) {
          const asking = load(client, 8, random);
          const names = Array.from({ length: 150 }, (_, at) => `job${part}${rounds}.${at}`);
          const id = await client.job(`job-${part}-${rounds}`, names);
          assert.ok(id !== null, `a job is taken before the disk is full: ${client.jobRefusal}`);
          jobs.set(id, names);
          await pause(200 + random() * 600);
          const empty = disk.fill();
          const before = client.answered.length;
          // Table pages have free space for a while: until then calls are answered, and health is right.
          await until('a call is refused', 60_000, () =>
            client.answered.slice(before).some(({ status }) => status === 500),
          );
          const full = performance.now();
          await until('health says so', reportMs, async () => (await client.get('/healthz')).status === 500);
          const atWork = new Client(worker.url, '');
          await until(
            'the health of the worker says so',
            reportMs,
            async () => (await atWork.get('/healthz')).status === 500,
          );
          await atWork.close();
          counts.reported = Math.max(counts.reported, performance.now() - full);
          // A page too full for the rows of eight calls may still fit the rows of one, which is answered and charged.
          let message = '';
          await until('no call finds room', reportMs, async () => {
            const { status, body } = await client.get('/v1/shortvideo/profile?username=full&fresh=true');
            message = body.error?.message;
            return status === 500;
          });
          assert.match(message, refusal[part]);
          assert.equal((await client.get('/healthz')).status, 500, 'health stays as it is');
          await pause(1_000 + random() * 2_000);
          await asking.stop();
          empty();
          if (part === 'all') await state.cluster.start();
          const emptied = performance.now();
          await until('calls are answered again', backMs, async () => {
            return (await client.profile(`after${part}${rounds}`))?.status === 200;
          });
          counts.slowest = Math.max(counts.slowest, performance.now() - emptied);
          await until(
            'health is good again',
            backMs,
            async () => (await client.get('/healthz')).status === 200,
          );
          // Whatever failed while the disk was full is refunded automatically.
          await until('no call is open', 45_000, async () => (await state.pendingCalls()) === 0);
          await state.assertBooks();
          counts.fills += 1;
          rounds += 1;
        }
        await state.assertJobs(client, jobs);
        for (const { child, ended, output } of [server, worker]) {
          child.kill('SIGTERM');
          assert.equal(await ended, 0, output());
          assert.ok(output().length < 150_000, `the log has ${output().length} characters`);
        }
        await state.assertEnd([client]);
        counts.answers += client.answered.length;
        counts.refused += refusedOf(client);
        return {};
      },
      small,
    );
  } finally {
    disk.remove();
    rmdirSync(mounted);
  }
}

/** Fills the small disk of a PostgreSQL under reads and jobs, and empties it. */
export const postgresDisk: Scenario = {
  name: 'postgres-disk',
  about: `a PostgreSQL on a file system of ${megabytes} MB that fills and empties, with and without its log of writes`,
  skip: () => withoutPostgres ?? withoutSmallFileSystem(),
  async run(surroundings) {
    const counts: Counts = { fills: 0, answers: 0, refused: 0, reported: 0, slowest: 0 };
    const ms = surroundings.ms / 2;
    await fillAndEmpty('tables', surroundings, ms, counts);
    await fillAndEmpty('all', surroundings, ms, counts);
    return {
      ...{ fills: counts.fills, answers: counts.answers, 'refused and free': counts.refused, lost: 0 },
      'ms until health says so': Math.round(counts.reported),
      'ms to recover': Math.round(counts.slowest),
    };
  },
};
