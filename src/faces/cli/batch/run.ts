import { Readable } from 'node:stream';
import type { Config } from '../../../../lib/config.js';
import type { BatchOutcome } from '../../../files/batch-files/batch-run.js';
import { type InputSource, openSource } from '../../../files/batch-files/read-inputs.js';
import { callDefaults } from '../../../lines/run-steps.js';
import { quantity } from '../../../output/number-text.js';
import type { Context } from '../context.js';
import { requestedSteps } from '../step-options.js';
import { requirePages } from '../step-ports.js';
import { wrapText } from '../terminal-text.js';
import { withEvidence } from '../with-evidence.js';
import { openBatchInputs } from './batch-inputs.js';
import { type BatchCommandOptions, plannedBatch } from './batch-options.js';
import { countInputs } from './count-inputs.js';
import { writeEstimate } from './dry-run.js';
import { type LineRun, runLines } from './run-lines.js';

function configOf(options: BatchCommandOptions): Partial<Config> {
  const { endpoint, concurrency, paceMs, savePages } = options;
  const { platform } = endpoint;
  return {
    ...(savePages !== undefined && { savePages }),
    // The inputs of a batch are many and distinct: the memory tier would evict an entry before its next use.
    cacheMemoryMb: 0,
    ...(concurrency === undefined ? {} : { concurrency: { [platform]: concurrency } }),
    ...(paceMs === undefined ? {} : { paceMs: { [platform]: paceMs } }),
  };
}

function leftOutText(count: number): string[] {
  if (count === 0) return [];
  return [
    `Skipped ${count === 1 ? 'a line' : `${count} lines`} of the input that ${count === 1 ? 'is an error' : 'are errors'} of an earlier batch.`,
  ];
}

const blankText = (count: number) =>
  count === 0 ? [] : [`Skipped ${quantity(count, 'row')} without a value.`];

export interface BatchRunner {
  readonly resumeHint: string | null;
  readonly onEnded?: (ended: BatchOutcome) => void;
}

function batchRun(
  options: BatchCommandOptions,
  { size }: InputSource,
  read: Awaited<ReturnType<typeof openBatchInputs>>,
): Pick<LineRun, 'inputs' | 'ownColumns' | 'size' | 'total' | 'count' | 'notes' | 'keeps'> {
  let total: number | undefined;
  return {
    inputs: () => read.inputs,
    ownColumns: read.ownColumns,
    size,
    total: () => total,
    async count(isOver) {
      total = await countInputs(options, isOver);
    },
    notes: () => [...leftOutText(read.leftOut()), ...blankText(read.blank()), ...read.decoded()],
    keeps: { uses: ['--resume', '--retry-failed'] },
  };
}

/** Returns the source of the inputs; none if they have been read. */
async function sourceOf(context: Context, { input, addressed }: BatchCommandOptions): Promise<InputSource> {
  if (addressed !== undefined)
    return { chunks: Readable.from([]), size: undefined, close: async () => undefined };
  return input === null ? context.stdin() : openSource(input);
}

/** Runs a batch. Throws its error or exit status, after `onEnded`. */
export async function runBatchCommand(
  context: Context,
  batchOptions: BatchCommandOptions,
  runner: BatchRunner,
): Promise<void> {
  const requested = await requestedSteps(batchOptions.steps, plannedBatch(batchOptions));
  const options = { ...batchOptions, defaults: { ...callDefaults(requested), ...batchOptions.defaults } };
  const { dryRun, quiet } = options;
  const source = await sourceOf(context, options);
  try {
    const read = await openBatchInputs(context, source, options);
    const config = configOf(options);
    await withEvidence(context, { quiet, config, requested: dryRun ? [] : requested }, async (extractor) => {
      if (dryRun) {
        await writeEstimate(context, options, read.inputs, extractor);
        for (const note of quiet ? [] : read.decoded())
          await context.stderr.write(`${await wrapText(note, context.stderr)}\n`);
        return;
      }
      requirePages(requested, extractor.config);
      const run = { ...batchRun(options, source, read), ...runner, requested };
      await runLines(context, options, run, extractor);
    });
  } finally {
    await source.close();
  }
}
