import assert from 'node:assert/strict';
import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Sqlite from 'better-sqlite3';
import { createExtractor } from '../../lib/extractor.js';
import { imbalances } from '../../lib/ledger/sqlite/integrity.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { type BatchOutcome, type BatchRun, runToSink } from '../../src/files/batch-files/batch-run.js';
import { ndjsonFormat } from '../../src/files/batch-files/line-format.js';
import { openBatchFile } from '../../src/files/batch-files/open-batch-file.js';
import { openSource, readInputs } from '../../src/files/batch-files/read-inputs.js';
import { accountEndpoint } from './upstream.js';

/** A list of inputs to which the tests' upstream answers, hangs and refuses. */
export interface Mix {
  readonly count: number;
  /** One of so many inputs never gets an answer. */
  readonly hangEvery: number;
  /** One in this many inputs makes the platform refuse all requests until it has received none for a second. */
  readonly refusalEvery: number;
  /** Milliseconds until an input times out. A machine that pauses for that long times out others, too. */
  readonly timeoutMs: number;
}

/** The input at a position, and the code that its line must have; null for data. */
function kindOf(at: number, { hangEvery, refusalEvery }: Mix): [name: string, code: string | null] {
  if (at % hangEvery === 3) return [`hang${at}`, 'platform_timeout'];
  if (at % refusalEvery === 7) return [`shy${at}`, null];
  if (at % 83 === 11) return [`missing${at}`, 'profile_not_found'];
  if (at % 211 === 13) return [`changed${at}`, 'platform_changed'];
  return [`name${at}`, null];
}

export interface MixedRun {
  readonly ended: BatchOutcome;
  /** Refusals that were waited out. */
  readonly rests: number;
}

/** Runs such a list as the command does, in an empty folder, over the upstream at `origin`. */
export async function runMixed(
  mix: Mix,
  { folder, origin, onLine }: { folder: string; origin: string } & Required<Pick<BatchRun, 'onLine'>>,
): Promise<MixedRun> {
  const input = path.join(folder, 'inputs');
  const lines = function* () {
    for (let at = 0; at < mix.count; at += 1) yield `{"username":"${kindOf(at, mix)[0]}"}\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(input));
  const extractor = createExtractor({
    home: path.join(folder, 'home'),
    cooldownMs: 20,
    timeoutMs: mix.timeoutMs,
    cacheMemoryMb: 0,
    concurrency: { shortvideo: 32 },
  });
  const endpoint = accountEndpoint(origin);
  const ledger = await extractor.ledger();
  await ledger.grant({
    ...{ id: 'mixed', account: 'local', credits: 3 * mix.count, kind: 'pack' },
    at: new Date().toISOString(),
  });
  const source = await openSource(input);
  const shape = { output: 'ndjson', all: false, flatten: false } as const;
  const session = await openBatchFile({
    file: path.join(folder, 'output'),
    mode: 'begin',
    clock: systemClock,
    batch: { endpoint: endpoint.path, shape },
  });
  let rests = 0;
  const ended = await runToSink(
    {
      client: extractor,
      endpoint,
      inputs: readInputs(source.chunks, { format: 'ndjson', endpoint, nameOf: () => 'username' }),
      format: ndjsonFormat(false),
      options: { concurrency: 64 },
      clock: systemClock,
      onBackoff() {
        rests += 1;
      },
      onLine,
    },
    session,
  );
  await extractor.close();
  await source.close();
  return { ended, rests };
}

/** Asserts that every input has its own line in its own place, and that the ledger tells the same. */
export async function checkMixed(mix: Mix, folder: string, { ended, rests }: MixedRun): Promise<void> {
  assert.equal(ended.error, null);
  assert.equal(ended.finished, true);
  assert.ok(rests > 0);
  let at = 0;
  for await (const line of createInterface({ input: createReadStream(path.join(folder, 'output')) })) {
    const { input: params, data, error } = JSON.parse(line);
    const [name, code] = kindOf(at, mix);
    assert.equal(params.username, name);
    assert.equal(error?.code ?? null, code, line);
    assert.equal(data?.username ?? null, code === null ? name : null);
    at += 1;
  }
  assert.equal(at, mix.count);

  const db = new Sqlite(path.join(folder, 'home', 'ledger.db'));
  assert.deepEqual(imbalances(db), []);
  assert.deepEqual(db.prepare('SELECT count(*), sum(credits_charged) FROM usage').raw().get(), [
    mix.count,
    ended.totals.ok * 3,
  ]);
  db.close();
}
