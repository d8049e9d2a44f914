import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assertBooks, assertJob, newHome } from '../books.js';
import { Client, load } from '../client.js';
import { pause, type Scenario } from '../scenario.js';

type Harm = (bytes: Buffer, random: () => number) => Buffer | null;

const harms: Readonly<Record<string, Harm>> = {
  gone: () => null,
  empty: () => Buffer.alloc(0),
  'cut in half': (bytes) => bytes.subarray(0, bytes.length >> 1),
  'cut by a byte': (bytes) => bytes.subarray(0, Math.max(0, bytes.length - 1)),
  text: () => Buffer.from('a letter to nobody\n'.repeat(300)),
  'some bytes others': (bytes, random) => {
    const other = Buffer.from(bytes);
    for (let n = 0; n < 40 && other.length > 0; n += 1) other[Math.floor(random() * other.length)] = 0x5a;
    return other;
  },
  'a page of zeros': (bytes) =>
    Buffer.from(bytes).fill(0, Math.min(4096, bytes.length >> 2), Math.min(8192, bytes.length)),
};

function filesOf(home: string): string[] {
  return readdirSync(home, { recursive: true })
    .map(String)
    .filter((name) => statSync(path.join(home, name)).isFile())
    .sort();
}

/**
 * Damages every file of a data directory in every way. A server over it works, or says what is damaged and what to do.
 */
export const corruption: Scenario = {
  name: 'corruption',
  about: 'every file of a data directory is damaged in seven ways',
  async run({ folder, ms, program, platform, random }) {
    const home = await newHome(path.join(folder, 'home'));
    const made = await program.serve(home.home, { env: platform.env });
    const maker = new Client(made.url, home.secret);
    const asking = load(maker, 4, random);
    const names = Array.from({ length: 300 }, (_, at) => `job${at}`);
    platform.mood = 'slow';
    const id = (await maker.job('job', names)) ?? '';
    await pause(2_500);
    await asking.stop();
    // Killed with the job at work: logs hold what the files have not.
    made.child.kill('SIGKILL');
    await made.ended;
    await maker.close();
    platform.mood = 'answers';
    const files = filesOf(home.home);
    const end = performance.now() + ms;
    let [cases, worked, refused] = [0, 0, 0];
    const all = files.flatMap((file) => Object.keys(harms).map((harm) => ({ file, harm })));
    const order = all.map((one) => ({ one, at: random() })).sort((a, b) => a.at - b.at);
    for (const { one } of order) {
      if (performance.now() > end && cases >= 6) break;
      cases += 1;
      const copy = { ...home, home: path.join(folder, `case${cases}`) };
      cpSync(home.home, copy.home, { recursive: true });
      const file = path.join(copy.home, one.file);
      const bytes = harms[one.harm]?.(readFileSync(file), random) ?? null;
      if (bytes === null) rmSync(file);
      else writeFileSync(file, bytes);
      const what = `${one.file}, ${one.harm}`;
      const serving = await program.serve(copy.home, { env: platform.env }).catch((error: Error) => error);
      if (serving instanceof Error) {
        refused += 1;
        // Not a stack: what is damaged, and what to do.
        assert.match(serving.message, /ledger|cursor\.key|login\.json/, what);
        assert.match(serving.message, /backup|delete it|move it away/i, `${what}: ${serving.message}`);
        assert.doesNotMatch(serving.message, /^\s+at /m, what);
        // Only what cannot be made anew keeps a server from its work.
        assert.match(one.file, /^(ledger\.db|cursor\.key)/, what);
      } else {
        worked += 1;
        const client = new Client(serving.url, home.secret);
        const isOldLog = one.file.startsWith('ledger.db');
        // A log that is gone takes its last entries with it, and may take the key. Then the books of before must add
        // up.
        const health = await client.get('/healthz');
        assert.equal(health.status, 200, `${what}: ${JSON.stringify(health.body)}`);
        if (!isOldLog) {
          for (let read = 0; read < 5; read += 1) {
            const answer = await client.profile(`known${read}`);
            assert.equal(answer?.status, 200, `${what}: ${answer?.code}`);
          }
          await assertJob(copy, client, id, names);
        }
        serving.child.kill('SIGTERM');
        assert.equal(await serving.ended, 0, `${what}: ${serving.said()}`);
        assertBooks(copy, client.answered);
        await client.close();
      }
      rmSync(copy.home, { recursive: true });
    }
    return { files: files.length, cases, worked, 'refused by name': refused, 'of all cases': order.length };
  },
};
