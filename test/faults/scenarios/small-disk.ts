import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { assertBooks, assertEnd, assertJob, newHome, pendingCalls, refusedOf } from '../books.js';
import { Client, load } from '../client.js';
import { pause, type Scenario, until } from '../scenario.js';
import { mountSmall, withoutSmallFileSystem } from '../small-file-system.js';

const megabytes = 24;

/** Repeatedly fills a small file system under load, and empties it. */
export const smallDisk: Scenario = {
  name: 'small-disk',
  about: `a file system of ${megabytes} MB that fills and empties`,
  skip: withoutSmallFileSystem,
  async run({ folder, ms, program, platform, random }) {
    const mounted = path.join(folder, 'small');
    mkdirSync(mounted);
    const disk = mountSmall(mounted, megabytes);
    try {
      const home = await newHome(path.join(mounted, 'home'));
      const serving = await program.serve(home.home, { env: platform.env });
      const client = new Client(serving.url, home.secret);
      const end = performance.now() + ms;
      const jobs = new Map<string, readonly string[]>();
      let [fills, slowest, reported] = [0, 0, 0];
      while (performance.now() < end || fills < 2) {
        const asking = load(client, 8, random);
        const names = Array.from({ length: 30 }, (_, at) => `job${fills}.${at}`);
        const id = await client.job(`job-${fills}`, names);
        if (id !== null) jobs.set(id, names);
        await pause(200 + random() * 600);
        const empty = disk.fill();
        const before = client.answered.length;
        const isRefused = () => client.answered.slice(before).some(({ status }) => status === 500);
        // The ledger's log has free space for a while: until then calls are answered, and health is right.
        await until('a call is refused', 10_000, isRefused);
        const full = performance.now();
        await until('health says that the disk is full', 2_500, async () => {
          return (await client.get('/healthz')).status === 500;
        });
        reported = Math.max(reported, Math.round(performance.now() - full));
        await pause(1_000 + random() * 1_500);
        await asking.stop();
        empty();
        fills += 1;
        const emptied = performance.now();
        // Whatever failed while the disk was full is refunded automatically.
        await until('calls that failed are given back', 3_000, () => pendingCalls(home) === 0);
        await until('the next read is answered', 3_000, async () => {
          return (await client.profile(`after${fills}`))?.status === 200;
        });
        slowest = Math.max(slowest, Math.round(performance.now() - emptied));
        await until('health is good again', 6_000, async () => {
          const health = await client.get('/healthz');
          return health.status === 200 && health.body.status === 'ok';
        });
        assertBooks(home, client.answered);
      }
      for (const [id, names] of jobs) await assertJob(client, id, names, { home: home.home });
      await assertEnd(serving, home, client);
      const log = serving.output().length;
      assert.ok(log < 150_000, `the log has ${log} characters`);
      return {
        fills,
        answers: client.answered.length,
        'refused and free': refusedOf(client),
        'ms until health says so': reported,
        'ms to recover': slowest,
      };
    } finally {
      program.killAll();
      disk.remove();
    }
  },
};
