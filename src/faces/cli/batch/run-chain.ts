import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { unlessAborted } from '../../../../lib/runtime/abort.js';
import { batchPaths, fileSize } from '../../../files/batch-files/batch-paths.js';
import { readCheckpoint } from '../../../files/batch-files/checkpoint.js';
import { checkInputs } from '../../../files/batch-files/dry-run.js';
import { openSource, readInputs } from '../../../files/batch-files/read-inputs.js';
import { isBuilt } from '../../../files/result-files/file-kind.js';
import { type Context, withExtractor } from '../context.js';
import { ExitStatusError } from '../exit-status-error.js';
import { printable } from '../printable.js';
import { estimateJson, hasPrices, spendableCredits } from '../spendable-credits.js';
import { requestedSteps } from '../step-options.js';
import { wrapText } from '../terminal-text.js';
import { openBatchInputs } from './batch-inputs.js';
import { type BatchCommandOptions, plannedBatch } from './batch-options.js';
import { linesOf } from './chain-options.js';
import { chainPrice, chainPriceText, totalPrice } from './chain-price.js';
import { countInputs } from './count-inputs.js';
import { planSink } from './open-sink.js';
import { runStages } from './run-stages.js';

type Stages = readonly BatchCommandOptions[];

/** Throws what opening the outputs would throw, before the first stage costs anything. */
async function requireFree(context: Context, stages: Stages, append: boolean): Promise<void> {
  for (const stage of stages) {
    const sink = await planSink(context, { ...stage, append }, { ownColumns: [], identity: {} });
    // Whether a file can be appended to depends on the columns of the inputs.
    if (!append || isBuilt(stage.outputFormat)) await sink.check();
  }
}

/** True for a finished chain whose plain lines were deleted. */
async function isOver(stages: Stages): Promise<boolean> {
  const plain = stages.flatMap(({ chained }) => chained?.plain ?? []);
  if (plain.length === 0) return false;
  for (const file of plain) if ((await fileSize(file)) !== null) return false;
  const { output, checkpoint } = batchPaths(linesOf(stages.at(-1) as BatchCommandOptions));
  return (await readCheckpoint(checkpoint, (await fileSize(output)) ?? 0))?.entry?.done === true;
}

/**
 * Throws what reading the first input throws, before anything is removed. A pipe can only be read once, so it is
 * skipped.
 */
async function requireInput({
  input,
  inputFormat: format,
  endpoint,
  map,
}: BatchCommandOptions): Promise<void> {
  if (input === null) return;
  const source = await openSource(input);
  try {
    await readInputs(source.chunks, { format, endpoint, map, nameOf: () => 'query' }).next();
  } finally {
    await source.close();
  }
}

/** Writes what a chain may cost, and which of its first inputs would fail. Throws exit status 7 if some would. */
async function writeChainPrice(context: Context, stages: Stages): Promise<void> {
  const [first] = stages as readonly [BatchCommandOptions];
  const source = first.input === null ? context.stdin() : await openSource(first.input);
  try {
    const { inputs } = await openBatchInputs(context, source, first);
    const {
      inputs: count,
      wrong,
      problems,
    } = await unlessAborted(context.signal, checkInputs(first.endpoint, inputs));
    const balance = await withExtractor(context, {}, spendableCredits);
    const prices = chainPrice(stages, count - wrong);
    const data = { stages: prices, ...totalPrice(prices), wrong, problems, balance_before: balance };
    const priced = await hasPrices(context);
    const wrongText = problems.map(({ message, code }) => `  ${message}  ${code}\n`).join('');
    await context.stdout.write(
      first.json || !context.stdout.isTTY
        ? estimateJson(data, priced)
        : printable(`${chainPriceText(prices, priced)}${wrongText}`),
    );
    if (wrong > 0) throw new ExitStatusError(7);
  } finally {
    await source.close();
  }
}

/**
 * Runs a batch, and the next over the items of its answers. Each stage is a batch with its own file and checkpoint;
 * `resumeHint` is the command that resumes the chain. Throws the error or the exit status of the stage that ended it.
 */
export async function runChain(
  context: Context,
  stages: Stages,
  { appends, resumeHint }: { readonly appends: boolean; readonly resumeHint: string },
): Promise<void> {
  const [first] = stages as readonly [BatchCommandOptions];
  for (const stage of stages) await requestedSteps(stage.steps, plannedBatch(stage));
  if (first.dryRun) return writeChainPrice(context, stages);
  if (first.mode === 'begin') await requireFree(context, stages, appends);
  // The stages of a chain append their tables to one database.
  if (first.mode === 'overwrite' && !appends && first.lines !== undefined) {
    await requireInput(first);
    await rm(first.output as string, { force: true });
  }
  const says = !first.quiet && first.progress !== 'jsonl';
  if (first.mode === 'resume' && (await isOver(stages))) {
    if (says) await context.stderr.write('The chain is finished; there is nothing to resume.\n');
    return;
  }
  if (says) {
    const count = await countInputs(first, () => context.signal.aborted);
    const price = chainPriceText(chainPrice(stages, count ?? null), await hasPrices(context));
    await context.stderr.write(await wrapText(price, context.stderr));
  }
  const plain = stages.flatMap(({ chained }) => chained?.plain ?? []);
  for (const file of plain) await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const status = await runStages(context, stages, resumeHint, {
    async announce({ output, bucket, endpoint }, at) {
      const file = printable(bucket?.addressOf(output as string) ?? (output as string));
      if (says)
        await context.stderr.write(`Stage ${at + 1} of ${stages.length}: ${endpoint.path} → ${file}\n`);
    },
  });
  for (const file of plain) await rm(file, { force: true });
  if (status !== 0) throw new ExitStatusError(status);
}
