import type { Extractor } from '../../lib/extractor.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { type BatchOutcome, type BatchRun, runToSink } from '../../src/files/batch-files/batch-run.js';
import { csvFormat } from '../../src/files/batch-files/csv-format.js';
import { ndjsonFormat } from '../../src/files/batch-files/line-format.js';
import { type OpenMode, openBatchFile } from '../../src/files/batch-files/open-batch-file.js';
import { openSource, readInputs } from '../../src/files/batch-files/read-inputs.js';
import { accountEndpoint } from './upstream.js';

interface AccountBatch extends Pick<BatchRun, 'options' | 'onLine' | 'onBackoff'> {
  /** The address of the tests' platform. */
  readonly origin: string;
  readonly input: string;
  readonly output: string;
  readonly mode: OpenMode;
  readonly kind?: 'ndjson' | 'csv';
}

/** Runs a batch of accounts from file to file, as the command does, and closes the extractor. */
export async function runAccountBatch(
  extractor: Extractor,
  { origin, input, output, mode, kind = 'ndjson', ...run }: AccountBatch,
): Promise<BatchOutcome> {
  const endpoint = accountEndpoint(origin);
  const source = await openSource(input);
  const shape = { output: kind, all: false, flatten: false } as const;
  const batch = { endpoint: endpoint.path, shape };
  const session = await openBatchFile({ file: output, mode, clock: systemClock, batch });
  const inputs = readInputs(source.chunks, { format: 'ndjson', endpoint, nameOf: () => 'username' });
  const format = kind === 'csv' ? csvFormat(endpoint, {}) : ndjsonFormat(false);
  const plan = { ...run, client: extractor, endpoint, inputs, format, clock: systemClock };
  const ended = await runToSink(plan, session);
  await extractor.close();
  await source.close();
  return ended;
}
