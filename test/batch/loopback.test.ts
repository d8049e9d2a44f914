import assert from 'node:assert/strict';
import { createReadStream, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { systemClock } from '../../lib/clock.js';
import { createExtractor } from '../../lib/extractor.js';
import { imbalances } from '../../lib/ledger/integrity.js';
import { runToFile } from '../../src/batch/batch-run.js';
import { ndjsonFormat } from '../../src/batch/line-format.js';
import { openSource, readInputs } from '../../src/batch/read-inputs.js';
import { openSession } from '../../src/batch/session.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { accountEndpoint, startUpstream, type Upstream } from '../support/upstream.js';

const folder = temporaryFolder();
let upstream: Upstream;
before(async () => {
  upstream = await startUpstream();
});
after(() => upstream.close());

const count = 10_000;

/** What is asked for at a place, and the code that its line must carry; null for data. */
function kindOf(at: number): [name: string, code: string | null] {
  if (at % 997 === 3) return [`hang${at}`, 'platform_timeout'];
  if (at % 501 === 7) return [`shy${at}`, null];
  if (at % 83 === 11) return [`missing${at}`, 'profile_not_found'];
  if (at % 211 === 13) return [`changed${at}`, 'platform_changed'];
  return [`name${at}`, null];
}

describe('ten thousand inputs over a network', () => {
  test('with errors, hangs and refusals among them come out in order, one line each, in bounded memory', async () => {
    const input = path.join(folder, 'inputs');
    writeFileSync(
      input,
      Array.from({ length: count }, (_, at) => `{"username":"${kindOf(at)[0]}"}\n`).join(''),
    );
    const home = path.join(folder, 'home');
    const extractor = createExtractor({
      home,
      cooldownMs: 20,
      timeoutMs: 1500,
      cacheMemoryMb: 0,
      concurrency: { shortvideo: 32 },
    });
    const endpoint = accountEndpoint(upstream.origin);
    const source = await openSource(input);
    const output = path.join(folder, 'output');
    const shape = { output: 'ndjson', all: false, flatten: false } as const;
    const clock = systemClock;
    const session = await openSession({
      file: output,
      mode: 'begin',
      clock,
      batch: { endpoint: endpoint.path, shape },
    });
    let rests = 0;
    let waiting = 0;
    const ended = await runToFile(
      {
        asker: extractor,
        endpoint,
        inputs: readInputs(source.chunks, { format: 'ndjson', endpoint, nameOf: () => 'username' }),
        format: ndjsonFormat(false),
        options: { concurrency: 64 },
        clock,
        onRest() {
          rests += 1;
        },
        onLine: ({ inputs }) => {
          if (inputs % 1000 === 0) waiting = Math.max(waiting, process.memoryUsage().heapUsed);
        },
      },
      session,
    );
    await extractor.close();
    await source.close();

    assert.equal(ended.error, null);
    assert.equal(ended.done, true);
    assert.ok(rests > 0);
    let at = 0;
    for await (const line of createInterface({ input: createReadStream(output) })) {
      const { input: asked, data, error } = JSON.parse(line);
      const [name, code] = kindOf(at);
      assert.equal(asked.username, name);
      assert.equal(error?.code ?? null, code, line);
      assert.equal(data?.username ?? null, code === null ? name : null);
      at += 1;
    }
    assert.equal(at, count);
    assert.ok(waiting < 250 * 1024 * 1024, `${Math.round(waiting / 1024 / 1024)} MB`);

    const db = new Sqlite(path.join(home, 'ledger.db'));
    assert.deepEqual(imbalances(db), []);
    assert.deepEqual(db.prepare('SELECT count(*), sum(credits_charged) FROM usage').raw().get(), [
      count,
      ended.totals.ok * 3,
    ]);
    db.close();
  });
});
