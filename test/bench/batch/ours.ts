import path from 'node:path';
import { createExtractor } from '../../../lib/extractor.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { runToFile } from '../../../src/files/batch-files/batch-run.js';
import { boundHeap } from '../../../src/files/batch-files/bound-heap.js';
import { ndjsonFormat } from '../../../src/files/batch-files/line-format.js';
import { openBatchFile } from '../../../src/files/batch-files/open-batch-file.js';
import { openSource, readInputs } from '../../../src/files/batch-files/read-inputs.js';
import { accountEndpoint } from '../../support/upstream.js';
import { reportCost, wantedRun } from './run.js';

/** The batch as the command runs it: ledger, cache, checks, order, checkpoint. Only the pace is off. */
const { origin, input, output, concurrency } = wantedRun();
const home = path.join(path.dirname(output), 'home');
const extractor = createExtractor({
  home,
  paceMs: { shortvideo: 0 },
  // As the command sets it.
  cacheMemoryMb: 0,
  concurrency: { shortvideo: concurrency },
});
const endpoint = accountEndpoint(origin);
const ledger = await extractor.ledger();
await ledger.grant({
  id: 'bench',
  account: 'local',
  credits: 10_000_000,
  kind: 'pack',
  at: new Date().toISOString(),
});
// What the others have loaded and opened before the clock starts, this loads when it is first needed.
await import('../../../lib/web/network.js');
await (await extractor.cache()).get('none');
const report = reportCost();
boundHeap();
const source = await openSource(input);
const shape = { output: 'ndjson', all: false, flatten: false } as const;
const clock = systemClock;
const session = await openBatchFile({
  file: output,
  mode: 'begin',
  clock,
  batch: { endpoint: endpoint.path, shape },
});
const { totals, error } = await runToFile(
  {
    client: extractor,
    endpoint,
    inputs: readInputs(source.chunks, { format: 'ndjson', endpoint, nameOf: () => 'username' }),
    format: ndjsonFormat(false),
    options: { concurrency: concurrency * 2, onRefusal: 'fail' },
    clock,
  },
  session,
);
if (error !== null) throw error;
report(totals.inputs);
await extractor.close();
await source.close();
