import { createExtractor } from '../../../lib/extractor.js';
import type { OpenMode } from '../../../src/files/batch-files/open-batch-file.js';
import { runAccountBatch } from '../../support/account-batch.js';

/** A batch over a platform of the tests' own, in a process that can be killed. One JSON argument says which. */
interface BatchPlan {
  readonly origin: string;
  readonly home: string;
  readonly input: string;
  readonly output: string;
  readonly mode: OpenMode;
  readonly cache: boolean;
  readonly kind?: 'csv';
}

const { home, cache, ...files } = JSON.parse(process.argv[2] ?? '') as BatchPlan;
const concurrency = 8;
const extractor = createExtractor({
  ...{ home, cache, cooldownMs: 30, timeoutMs: 60_000 },
  ...{ paceMs: { shortvideo: 0 }, concurrency: { shortvideo: concurrency } },
});
const { finished, totals } = await runAccountBatch(extractor, { ...files, options: { concurrency } });
console.log(JSON.stringify({ finished, totals }));
