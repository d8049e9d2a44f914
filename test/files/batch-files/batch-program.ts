import { createExtractor } from '../../../lib/extractor.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { runToSink } from '../../../src/files/batch-files/batch-run.js';
import { csvFormat } from '../../../src/files/batch-files/csv-format.js';
import { ndjsonFormat } from '../../../src/files/batch-files/line-format.js';
import { type OpenMode, openBatchFile } from '../../../src/files/batch-files/open-batch-file.js';
import { openSource, readInputs } from '../../../src/files/batch-files/read-inputs.js';
import { accountEndpoint } from '../../support/upstream.js';

/** A batch over a platform of the tests' own, in a process that can be killed. One JSON argument says which. */
interface BatchPlan {
  readonly origin: string;
  readonly home: string;
  readonly input: string;
  readonly output: string;
  readonly mode: OpenMode;
  readonly concurrency: number;
  readonly cache?: boolean;
  readonly limitCredits?: number;
  /** NDJSON unless said. */
  readonly output_format?: 'csv';
}

const plan = JSON.parse(process.argv[2] ?? '') as BatchPlan;
const { origin, home, output, mode, concurrency, limitCredits } = plan;
const extractor = createExtractor({
  home,
  cache: plan.cache ?? true,
  cooldownMs: 30,
  timeoutMs: 60_000,
  paceMs: { shortvideo: 0 },
  concurrency: { shortvideo: concurrency },
});
const endpoint = accountEndpoint(origin);
const source = await openSource(plan.input);
const kind = plan.output_format ?? 'ndjson';
const shape = { output: kind, all: false, flatten: false } as const;
const session = await openBatchFile({
  file: output,
  mode,
  clock: systemClock,
  batch: { endpoint: endpoint.path, shape },
});
const began = performance.now();
const ended = await runToSink(
  {
    client: extractor,
    endpoint,
    inputs: readInputs(source.chunks, { format: 'ndjson', endpoint, nameOf: () => 'username' }),
    format: kind === 'csv' ? csvFormat(endpoint, {}) : ndjsonFormat(false),
    options: { concurrency, limitCredits },
    clock: systemClock,
  },
  session,
);
await extractor.close();
await source.close();
const { maxRSS } = process.resourceUsage();
console.log(
  JSON.stringify({
    ...ended,
    error: ended.error === null ? null : String(ended.error),
    ms: performance.now() - began,
    maxRSS,
  }),
);
