import type { CallClient } from '../../../lib/batch/run-batch.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { systemClock as clock } from '../../../lib/runtime/clock.js';
import { type BatchRun, runToFile } from '../../../src/files/batch-files/batch-run.js';
import { ndjsonFormat } from '../../../src/files/batch-files/line-format.js';
import { openBatchFile } from '../../../src/files/batch-files/open-batch-file.js';
import { readInputs } from '../../../src/files/batch-files/read-inputs.js';

interface Wanted extends Pick<BatchRun, 'onLine'> {
  readonly client: CallClient;
  readonly endpoint: Endpoint;
  /** The bytes of its inputs. */
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly output: string;
  readonly concurrency: number;
}

/** A new batch as the command runs it, from lines to a file of lines. Gives its inputs; throws what ended it early. */
export async function runToLines({ chunks, output, concurrency, ...run }: Wanted): Promise<number> {
  const { endpoint } = run;
  const shape = { output: 'ndjson', all: false, flatten: false } as const;
  const batch = { endpoint: endpoint.path, shape };
  const session = await openBatchFile({ file: output, mode: 'begin', clock, batch });
  const { totals, error } = await runToFile(
    {
      ...run,
      inputs: readInputs(chunks, { format: 'ndjson', endpoint, nameOf: () => 'username' }),
      format: ndjsonFormat(false),
      options: { concurrency, onRefusal: 'fail' },
      clock,
    },
    session,
  );
  if (error !== null) throw error;
  return totals.inputs;
}
