import { mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, beforeEach } from 'node:test';
import type { BatchOptions } from '../../../lib/batch/run-batch.js';
import type { Coverage } from '../../../lib/call/coverage.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { FailedLines } from '../../../src/faces/cli/batch/failed-text.js';
import { type BatchOutcome, runToSink } from '../../../src/files/batch-files/batch-run.js';
import { ndjsonFormat } from '../../../src/files/batch-files/line-format.js';
import { type OpenMode, openBatchFile } from '../../../src/files/batch-files/open-batch-file.js';
import { readInputs } from '../../../src/files/batch-files/read-inputs.js';
import { ndjsonText, ndjsonValues } from '../../support/ndjson.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type TestClient, testClient, thingEndpoint } from '../../support/test-client.js';

export interface Wanted {
  readonly mode?: OpenMode;
  readonly endpoint?: Endpoint;
  readonly all?: boolean;
  readonly thenLimit?: number;
  readonly flatten?: boolean;
  readonly options?: BatchOptions;
  readonly onLine?: (inputs: number) => void;
}

export interface ResultLine {
  readonly input: { readonly name: string };
  readonly data?: { readonly name: string } & readonly { readonly name: string }[];
  readonly error?: { readonly code: string; readonly message: string };
  readonly coverage?: Coverage;
}

export const inputOf = (names: readonly string[]) => ndjsonText(names.map((name) => ({ name })));
export const many = (to: number) => Array.from({ length: to }, (_, at) => `name${at}`);
export const codeOf = ({ error }: BatchOutcome) => (error as ExtractError | null)?.code;

/** Names that are not found while they are in this set. */
export const missing = new Set<string>();

export const thing = thingEndpoint(async ({ name }) => {
  if (missing.has(name)) throw new ExtractError('place_not_found', `There is no ${name}.`);
  return { data: { name, note: name === 'noted' ? 'yes' : null } };
});

/** The inputs in a text, or in an endless stream of bytes. */
export function inputsIn(input: string | AsyncIterable<Buffer>, endpoint: Endpoint = thing) {
  async function* chunks() {
    if (typeof input === 'string') yield Buffer.from(input);
    else yield* input;
  }
  return readInputs(chunks(), { format: 'ndjson', endpoint, nameOf: () => 'name' });
}

/** The batches of a test file: each test has its own folder, client and output. */
export function batchRuns() {
  const folder = temporaryFolder();
  const clients: TestClient[] = [];
  const clientOf = () => clients.at(-1) as TestClient;
  beforeEach(() => {
    runs.home = mkdtempSync(path.join(folder, 'run-'));
    runs.output = path.join(runs.home, 'out.ndjson');
    clients.push(testClient(runs.home));
    missing.clear();
  });
  after(() => Promise.all(clients.map((one) => one.close())));

  const runs = {
    home: '',
    output: '',
    failed: new FailedLines('line'),
    client: clientOf,
    text: () => readFileSync(runs.output, 'utf8').replace(/batch_[0-9A-Z]{26}/g, 'batch_x'),
    lines: (): ResultLine[] => ndjsonValues(runs.text()),
    names: () => runs.lines().map(({ data }) => data?.name),
    spent: async () => 50_000 - (await clientOf().books.balance('local')).credits,

    /** What a run is but for its output. */
    planOf: (inputs: ReturnType<typeof inputsIn>, options: BatchOptions, endpoint: Endpoint = thing) => ({
      ...{ client: clientOf(), endpoint, inputs, format: ndjsonFormat(false), clock: systemClock, options },
    }),

    /** Runs inputs into the output, four at a time. */
    async run(
      input: string,
      {
        mode = 'begin',
        endpoint = thing,
        all = false,
        flatten = false,
        thenLimit,
        options,
        onLine,
      }: Wanted = {},
    ): Promise<BatchOutcome> {
      const shape = { output: 'ndjson', all, flatten, ...(thenLimit && { thenLimit }) } as const;
      const batch = { endpoint: endpoint.path, shape };
      const session = await openBatchFile({ file: runs.output, mode, clock: systemClock, batch });
      runs.failed = new FailedLines('line');
      const format = runs.failed.noting(ndjsonFormat(flatten));
      const plan = runs.planOf(inputsIn(input, endpoint), { concurrency: 4, all, ...options }, endpoint);
      return runToSink({ ...plan, format, onLine: (totals) => onLine?.(totals.inputs) }, session);
    },

    /** Runs until so many lines are final, and stops there. */
    async stoppedAt(count: number, input: string, wanted: Wanted = {}): Promise<BatchOutcome> {
      const stop = new AbortController();
      const onLine = (done: number) => {
        if (done >= count) stop.abort();
      };
      return runs.run(input, { ...wanted, options: { ...wanted.options, stop: stop.signal }, onLine });
    },
  };
  return runs;
}
