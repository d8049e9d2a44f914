// A batch over a test platform, as the command runs it, or the least that can be written by hand for the same lines: fetch,
// cut, parse, write. Prints what the run cost.
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { Pool } from 'undici';
import { createExtractor } from '../../lib/extractor.js';
import { systemClock as clock } from '../../lib/runtime/clock.js';
import { callsPerRequest, runToSink } from '../../src/files/batch-files/batch-run.js';
import { boundHeap } from '../../src/files/batch-files/bound-heap.js';
import { ndjsonFormat } from '../../src/files/batch-files/line-format.js';
import { openBatchFile } from '../../src/files/batch-files/open-batch-file.js';
import { readInputs } from '../../src/files/batch-files/read-inputs.js';
import { accountEndpoint } from '../support/upstream.js';
import { accountKey, scriptStart } from '../support/upstream-page.js';
import type { BatchCost, BatchOrder } from './batch.bench.js';

const { kind, origin, output, count } = JSON.parse(process.argv[2] ?? '') as BatchOrder;
const concurrency = 32;
const names = Array.from({ length: count }, (_, index) => `name${index}`);

/** Everything but the pace: ledger, cache, checks, order, checkpoint. */
async function ours(): Promise<() => Promise<void>> {
  const extractor = createExtractor({
    ...{ home: path.join(path.dirname(output), 'home'), cacheMemoryMb: 0 },
    ...{ paceMs: { shortvideo: 0 }, concurrency: { shortvideo: concurrency } },
  });
  const endpoint = accountEndpoint(origin);
  const ledger = await extractor.ledger();
  const at = new Date().toISOString();
  await ledger.grant({ id: 'bench', account: 'local', credits: 10_000_000, kind: 'pack', at });
  // What the loop by hand has loaded and opened before the clock starts.
  await import('../../lib/web/network.js');
  await (await extractor.cache()).get('none');
  async function* chunks() {
    yield Buffer.from(names.map((username) => `${JSON.stringify({ username })}\n`).join(''));
  }
  boundHeap();
  return async () => {
    const batch = {
      endpoint: endpoint.path,
      shape: { output: 'ndjson', all: false, flatten: false },
    } as const;
    const sink = await openBatchFile({ file: output, mode: 'begin', clock, batch });
    const inputs = readInputs(chunks(), { format: 'ndjson', endpoint, nameOf: () => 'username' });
    const options = { concurrency: concurrency * callsPerRequest, onRefusal: 'fail' } as const;
    const run = { client: extractor, endpoint, inputs, format: ndjsonFormat(false), options, clock };
    const { totals, error } = await runToSink(run, sink);
    if (error !== null || totals.inputs !== count) throw error ?? new Error(`${totals.inputs} lines`);
    await extractor.close();
  };
}

async function byHand(): Promise<() => Promise<void>> {
  const pool = new Pool(origin, { connections: concurrency });
  const out = createWriteStream(output);
  const waiting = names.values();
  const work = async () => {
    for (const username of waiting) {
      const { body } = await pool.request({ path: `/p/${username}`, method: 'GET' });
      const text = await body.text();
      const from = text.indexOf(scriptStart) + scriptStart.length;
      const { [accountKey]: user } = JSON.parse(text.slice(from, text.indexOf('</script>', from)));
      const data = { username: user.name, display_name: user.nick, follower_count: user.followers };
      out.write(`${JSON.stringify({ input: { username }, data })}\n`);
    }
  };
  return async () => {
    await Promise.all(Array.from({ length: concurrency }, work));
    await finished(out.end());
    await pool.close();
  };
}

const run = kind === 'ours' ? await ours() : await byHand();
const [began, used] = [performance.now(), process.cpuUsage()];
await run();
const ms = performance.now() - began;
const { user, system } = process.cpuUsage(used);
const cost: BatchCost = { ms, cpuMs: (user + system) / 1000, peakMb: process.resourceUsage().maxRSS / 1024 };
console.log(JSON.stringify(cost));
