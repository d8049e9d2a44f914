import assert from 'node:assert/strict';
import { createReadStream, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { createExtractor } from '../../lib/extractor.js';
import { imbalances } from '../../lib/ledger/sqlite/integrity.js';
import { inspect } from '../ledger/books.js';
import { runAccountBatch } from '../support/account-batch.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startUpstream, type Upstream } from '../support/upstream.js';

const folder = temporaryFolder();
let upstream: Upstream;
before(async () => {
  upstream = await startUpstream();
});
after(() => upstream.close());

const count = 10_000;

/** The input at a position, and the code that its line must have; null for data. */
function kindOf(at: number): [name: string, code: string | null] {
  if (at % 3331 === 3) return [`hang${at}`, 'platform_timeout'];
  // Makes the platform refuse all requests until it has received none for a second.
  if (at % 501 === 7) return [`shy${at}`, null];
  if (at % 83 === 11) return [`missing${at}`, 'profile_not_found'];
  if (at % 211 === 13) return [`changed${at}`, 'platform_changed'];
  return [`name${at}`, null];
}

describe('ten thousand inputs over a network', () => {
  test('with errors, hangs and refusals among them come out in order, one line each, in bounded memory', async () => {
    const [input, output, home] = [`${folder}/inputs`, `${folder}/output`, `${folder}/home`] as const;
    const lines = Array.from({ length: count }, (_, at) => `{"username":"${kindOf(at)[0]}"}\n`);
    writeFileSync(input, lines.join(''));
    const extractor = createExtractor({
      ...{ home, cooldownMs: 20, timeoutMs: 8000, cacheMemoryMb: 0, concurrency: { shortvideo: 32 } },
    });
    const at = new Date().toISOString();
    const ledger = await extractor.ledger();
    await ledger.grant({ id: 'mixed', account: 'local', credits: 3 * count, kind: 'pack', at });
    let [mostBytes, rests] = [0, 0];
    const ended = await runAccountBatch(extractor, {
      ...{ origin: upstream.origin, input, output, mode: 'begin', options: { concurrency: 64 } },
      onBackoff() {
        rests += 1;
      },
      onLine({ inputs }) {
        if (inputs % 1000 === 0) mostBytes = Math.max(mostBytes, process.memoryUsage().heapUsed);
      },
    });
    assert.deepEqual([ended.error, ended.finished], [null, true]);
    assert.ok(rests > 0);
    assert.ok(mostBytes < 250 * 1024 * 1024, `${Math.round(mostBytes / 1024 / 1024)} MB`);

    let checked = 0;
    for await (const line of createInterface({ input: createReadStream(output) })) {
      const { input: params, data, error } = JSON.parse(line);
      const [name, code] = kindOf(checked);
      const said = [params.username, error?.code ?? null, data?.username ?? null];
      assert.deepEqual(said, [name, code, code === null ? name : null], line);
      checked += 1;
    }
    assert.equal(checked, count);
    inspect(path.join(home, 'ledger.db'), (db) => {
      assert.deepEqual(imbalances(db), []);
      const sums = db.prepare('SELECT count(*), sum(credits_charged) FROM usage').raw().get();
      assert.deepEqual(sums, [count, ended.totals.ok * 3]);
    });
  });
});
