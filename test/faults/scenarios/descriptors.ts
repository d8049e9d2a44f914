import assert from 'node:assert/strict';
import net from 'node:net';
import path from 'node:path';
import { assertEnd, assertJob, newHome, refusedOf } from '../books.js';
import { Client, load } from '../client.js';
import { pause, type Scenario, until } from '../scenario.js';

/** Opens connections that send nothing; returns a function that closes them. */
function crowd(port: number, count: number): () => void {
  const sockets = Array.from({ length: count }, () =>
    net.connect(port, '127.0.0.1').on('error', () => undefined),
  );
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

/** Exhausts the file descriptors, before the first read and under load, and releases them. */
export const descriptors: Scenario = {
  name: 'descriptors',
  about: 'few descriptors, and a crowd of idle connections that wants them',
  skip: () => (process.platform === 'win32' ? 'there is no ulimit here' : null),
  async run({ folder, ms, program, platform, random }) {
    const end = performance.now() + ms;
    let [rounds, refused, answers, cut] = [0, 0, 0, 0];
    for (const limit of [128, 1024, 96, 256]) {
      if (performance.now() > end && rounds >= 2) break;
      const home = await newHome(path.join(folder, `${limit}`));
      const serving = await program.serve(home.home, { env: platform.env, shell: `ulimit -n ${limit}` });
      const client = new Client(serving.url, home.secret);
      const port = Number(new URL(serving.url).port);
      // Before the first read, so the server must retry whatever it opens lazily.
      let leave = crowd(port, limit + 100);
      await pause(300);
      const asking = load(client, 24, random);
      await pause(Math.min(3_000, ms / 10));
      leave();
      const names = Array.from({ length: 60 }, (_, at) => `job${at}`);
      let id: string | null = null;
      await until('a job is taken', 10_000, async () => {
        id ??= await client.job('job', names);
        return id !== null;
      });
      leave = crowd(port, limit + 100);
      await pause(Math.min(3_000, ms / 10));
      leave();
      await asking.stop();
      await until('the health is good', 5_000, async () => {
        const health = await client.get('/healthz').catch(() => null);
        return health?.status === 200 && health.body.status === 'ok';
      });
      const served = client.answered.length;
      for (let count = 0; count < 50; count += 1) await client.profile(`after${count}`);
      const after = client.answered.slice(served);
      assert.deepEqual(
        after.map(({ status, code }) => `${status} ${code}`).filter((one) => one !== '200 null'),
        [],
        'reads after the shortage',
      );
      assert.equal(after.length, 50);
      await assertJob(client, id ?? '', names, { home: home.home });
      const blamed = client.answered.filter(({ code }) => code?.startsWith('platform_'));
      assert.deepEqual(blamed, [], 'no platform is blamed for our shortage');
      await assertEnd(serving, home, client);
      refused += refusedOf(client);
      answers += client.answered.length;
      cut += client.cut;
      rounds += 1;
    }
    return { limits: rounds, answers, 'refused and free': refused, 'not taken': cut };
  },
};
