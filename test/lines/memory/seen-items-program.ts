import { createExtractor } from '../../../lib/extractor.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { openSeen } from '../../../src/faces/cli/seen-names.js';
import { runToSink } from '../../../src/files/batch-files/batch-run.js';
import { ndjsonFormat } from '../../../src/files/batch-files/line-format.js';
import { type OpenMode, openBatchFile } from '../../../src/files/batch-files/open-batch-file.js';
import { openSource, readInputs } from '../../../src/files/batch-files/read-inputs.js';
import { openSteps, requestSteps } from '../../../src/lines/run-steps.js';
import { testPorts } from '../../support/step-ports.js';
import { accountEndpoint } from '../../support/upstream.js';

/** A batch with `--new` over a platform of the tests' own, in a process that can be killed. */
interface SeenPlan {
  readonly origin: string;
  readonly home: string;
  readonly input: string;
  readonly output: string;
  readonly mode: OpenMode;
}

const { origin, home, input, output, mode } = JSON.parse(process.argv[2] ?? '') as SeenPlan;
const extractor = createExtractor({ home, paceMs: { shortvideo: 0 }, concurrency: { shortvideo: 8 } });
const endpoint = accountEndpoint(origin);
const source = await openSource(input);
const requested = await requestSteps(
  { new: 'killed' },
  {
    ...{ place: 'batch', endpoint, isForeign: false, all: false },
    ...{ output: { file: output, kind: 'ndjson', append: false }, nameOf: (option: string) => option },
  },
);
const ports = testPorts(endpoint, { home, seen: (name) => openSeen(home, name) });
const steps = await openSteps(requested, ports, { sources: false });
try {
  const shape = { output: 'ndjson', all: false, flatten: false, new: 'killed' } as const;
  const batch = { endpoint: endpoint.path, shape };
  const file = await openBatchFile({
    file: output,
    mode,
    clock: systemClock,
    batch,
    onSaved: ({ totals }) => steps.saved(totals.inputs),
  });
  const ended = await runToSink(
    {
      client: extractor,
      endpoint,
      inputs: readInputs(source.chunks, { format: 'ndjson', endpoint, nameOf: () => 'username' }),
      format: ndjsonFormat(false),
      steps,
      options: { concurrency: 8 },
      clock: systemClock,
    },
    file,
  );
  console.log(JSON.stringify({ finished: ended.finished, charged: ended.totals.charged }));
} finally {
  await steps.close();
}
await extractor.close();
await source.close();
