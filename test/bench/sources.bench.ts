// What sources add to a thousand items of each endpoint: to its answers alone, and to a batch with all that it does.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { createExtractor } from '../../lib/extractor.js';
import { systemClock as clock } from '../../lib/runtime/clock.js';
import { casesOf } from '../../lib/samples.js';
import { runToFile } from '../../src/files/batch-files/batch-run.js';
import { ndjsonFormat } from '../../src/files/batch-files/line-format.js';
import { openBatchFile } from '../../src/files/batch-files/open-batch-file.js';
import { readInputs } from '../../src/files/batch-files/read-inputs.js';
import { compare, report } from './compare.js';

const items = 1_000;
/** Milliseconds of processor time that this process has used: a twentieth is less than what others on the machine take. */
function busyMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const home = mkdtempSync(path.join(os.tmpdir(), 'extract-bench-'));
const file = path.join(home, 'lines.ndjson');
const extractor = createExtractor({ home });

/** Reads, checks and writes lines as the command does; sample pages stand in place of the network, and cost less. */
async function runBatch(endpoint: Endpoint, params: object, count: number): Promise<void> {
  async function* inputs() {
    for (let at = 0; at < count; at += 1) yield Buffer.from(`${JSON.stringify(params)}\n`);
  }
  const shape = { output: 'ndjson', all: false, flatten: false } as const;
  const batch = { endpoint: endpoint.path, shape };
  const session = await openBatchFile({ file, mode: 'overwrite', clock, batch });
  const { totals } = await runToFile(
    {
      ...{ client: extractor, endpoint, clock, format: ndjsonFormat(false) },
      inputs: readInputs(inputs(), { format: 'ndjson', endpoint, nameOf: () => '' }),
      options: { concurrency: 8, onRefusal: 'fail' },
    },
    session,
  );
  if (totals.ok !== count) throw new Error(`${endpoint.path}: ${totals.ok} of ${count} inputs`);
}

for (const endpoint of endpoints) {
  const [sample] = await casesOf(endpoint);
  const params = { ...sample?.params, demo: true };
  const located = { ...params, sources: true };
  const data: unknown = JSON.parse((await extractor.answer(endpoint, params)).json);
  const repeats = Math.ceil(items / (Array.isArray(data) ? data.length : 1));
  const calls = await compare(
    () => extractor.answer(endpoint, located),
    () => extractor.answer(endpoint, params),
    // Short turns: a collector at work in one of them is then but one round.
    { rounds: 101, repeats: Math.ceil(repeats / 100), warmUp: 3, now: busyMs },
  );
  report(`${endpoint.path}: an answer with sources beside without`, calls, { atMost: 1.05 });
  const batches = await compare(
    () => runBatch(endpoint, located, repeats),
    () => runBatch(endpoint, params, repeats),
    { rounds: 15, repeats: 1, warmUp: 1, now: busyMs },
  );
  report(`${endpoint.path}: a batch of ${items} items, the same`, batches, { atMost: 1.05 });
}
await extractor.close();
rmSync(home, { recursive: true, force: true });
