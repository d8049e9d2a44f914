import path from 'node:path';
import { createExtractor } from '../../../lib/extractor.js';
import { callsPerRequest } from '../../../src/files/batch-files/batch-run.js';
import { boundHeap } from '../../../src/files/batch-files/bound-heap.js';
import { openSource } from '../../../src/files/batch-files/read-inputs.js';
import { accountEndpoint } from '../../support/upstream.js';
import { reportCost, wantedRun } from './run.js';
import { runToLines } from './run-to-lines.js';

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
const calls = concurrency * callsPerRequest;
report(await runToLines({ client: extractor, endpoint, chunks: source.chunks, output, concurrency: calls }));
await extractor.close();
await source.close();
