import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assertSound, inspect } from '../../ledger/books.js';
import { pause, type Scenario } from '../scenario.js';

const hasTables = (file: string) =>
  inspect(file, (db) => db.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'balances'`).get()) !==
  undefined;

/** Kills a batch over a file at random moments, and resumes it until it is done. */
export const killBatch: Scenario = {
  name: 'kill-batch',
  about: 'a batch is killed at random moments, and resumed',
  async run({ folder, ms, program, platform, random }) {
    const end = performance.now() + ms;
    let [kills, batches, lines] = [0, 0, 0];
    while (performance.now() < end || batches === 0) {
      batches += 1;
      const own = path.join(folder, String(batches));
      mkdirSync(own);
      const home = path.join(own, 'home');
      const [input, output] = [path.join(own, 'names.txt'), path.join(own, 'out.ndjson')];
      const names = Array.from({ length: 150 }, (_, at) => (at % 11 === 5 ? `missing${at}` : `name${at}`));
      writeFileSync(input, `${names.join('\n')}\n`);
      for (;;) {
        // Whatever an earlier run left must be reused. The first may have been killed before there was any.
        const begun = readdirSync(own).some((name) => name.startsWith('out'));
        const args = ['batch', 'shortvideo/profile', input, '-o', output, '--concurrency', '8'];
        const child = program.start(home, [...args, ...(begun ? ['--resume'] : [])], { env: platform.env });
        let stderr = '';
        child.stderr?.setEncoding('utf8').on('data', (text: string) => {
          stderr += text;
        });
        child.stdout?.resume();
        const ended = once(child, 'close') as Promise<[number | null]>;
        const isMortal = random() < 0.85 && performance.now() < end;
        if (isMortal) {
          await Promise.race([pause(200 + random() * 1200), ended]);
          child.kill('SIGKILL');
        }
        const [status] = await ended;
        if (status === null) {
          kills += 1;
          // Killed before the ledger had its tables, it has asked nothing yet.
          const file = path.join(home, 'ledger.db');
          if (existsSync(file) && hasTables(file)) assertSound(file);
          else assert.ok(!existsSync(output) || statSync(output).size === 0);
          continue;
        }
        // 7: done, with failed lines.
        assert.ok(status === 0 || status === 7, `it ended with ${status}: ${stderr}`);
        break;
      }
      const written = readFileSync(output, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { input: { username: string }; error?: { code: string } });
      assert.deepEqual(
        written.map(({ input: { username } }) => username),
        names,
      );
      lines += written.length;
      const answered = written.filter(({ error }) => error === undefined).length;
      const file = path.join(home, 'ledger.db');
      assertSound(file);
      const charged = inspect(file, (db) =>
        db.prepare(`SELECT sum(credits_charged) FROM usage WHERE status <> 'pending'`).pluck().get(),
      );
      assert.equal(charged, answered * 3);
    }
    return { kills, batches, lines, lost: 0, doubled: 0 };
  },
};
