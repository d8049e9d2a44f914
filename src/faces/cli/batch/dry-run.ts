import { unlessAborted } from '../../../../lib/runtime/abort.js';
import { type Estimate, estimate } from '../../../files/batch-files/dry-run.js';
import type { Input } from '../../../files/batch-files/input.js';
import type { SeenNames } from '../../../lines/memory/seen-names.js';
import { duration } from '../../../output/duration.js';
import { integerText } from '../../../output/number-text.js';
import type { CommandExtractor, Context, OutputStream } from '../context.js';
import { ExitStatusError } from '../exit-status-error.js';
import { printable } from '../printable.js';
import { withSeenNames } from '../seen-names.js';
import { estimateJson, hasPrices, spendableCredits } from '../spendable-credits.js';
import { wrapText } from '../terminal-text.js';
import type { BatchCommandOptions } from './batch-options.js';
import { paceTime } from './pace-time.js';

const many = (count: number, one: string, more: string) =>
  `${integerText(count)} ${count === 1 ? one : more}`;

/** Says how many inputs of a batch with `--new` were read before, and what that saves. */
function onlyNewText({ new: onlyNew }: Estimate, { endpoint, all }: BatchCommandOptions): string[] {
  if (onlyNew === undefined) return [];
  const { name, known, first } = onlyNew;
  if (!endpoint.many) {
    return [
      `${many(known, 'input was', 'inputs were')} read before under ${name}, ${integerText(first)} not yet. Each is read to see what changed, at the price of one call.`,
    ];
  }
  const pagesText = all ? 'every page' : 'one page';
  return [
    `${many(known, 'list was', 'lists were')} read before under ${name}: one call each, plus one for each further page with new items.`,
    `${many(first, 'list is', 'lists are')} read for the first time: ${pagesText} each, one call per page.`,
  ];
}

/** Returns whether earlier runs have read each input. */
async function inputsReadBefore(
  { steps: { new: name }, endpoint }: BatchCommandOptions,
  store: SeenNames | null,
) {
  if (name === undefined || store === null) return undefined;
  const { questionOf } = await import('../../../lines/memory/only-new-run.js');
  return {
    name,
    async isKnown({ params, texts }: Input) {
      const { state } = await store.lookUp(name, questionOf(endpoint, params ?? {}, texts === true));
      return state.subject !== null;
    },
  };
}

/** “200 inputs × 3 credits = 600 at most. About 5 min.” */
function priceText(
  { inputs, wrong, calls, credits_each, credits, seconds }: Estimate,
  { all }: BatchCommandOptions,
  priced: boolean,
): string {
  if (calls === 0 && inputs > wrong)
    return `${many(inputs - wrong, 'input', 'inputs')} of sample data: no requests to the platform.`;
  const bound = all ? 'for the first page of each' : 'at most';
  const price = priced
    ? `${many(calls, 'input', 'inputs')} × ${credits_each} credits = ${integerText(credits)} ${bound}.`
    : `${many(calls, 'input', 'inputs')}.`;
  return seconds === null || seconds === 0 ? price : `${price} About ${duration(seconds)}.`;
}

/** Formats the balance before and after; empty if credits are unlimited. */
function balanceText({ balance_before: before, balance_after: after }: Estimate): string[] {
  if (before === null || after === null) return [];
  const balance = `Balance: ${integerText(before)} before, ${integerText(after)} after.`;
  return after < 0 ? [balance, 'The balance does not cover it.'] : [balance];
}

async function estimateText(
  estimate: Estimate,
  options: BatchCommandOptions,
  stdout: OutputStream,
  priced: boolean,
): Promise<string> {
  const { wrong, problems } = estimate;
  const summary = [
    priceText(estimate, options, priced),
    ...onlyNewText(estimate, options),
    ...balanceText(estimate),
    wrong === 0 ? 'Every line is valid.' : `${many(wrong, 'invalid line', 'invalid lines')}:`,
  ];
  const lines = [
    await wrapText(printable(summary.join('\n')), stdout),
    ...(await Promise.all(
      problems.map(
        async ({ message, code }) => `  ${await wrapText(printable(`${message}  ${code}`), stdout, 4)}`,
      ),
    )),
    ...(wrong > problems.length ? [`  and ${integerText(wrong - problems.length)} more`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Writes what a batch would cost and which inputs would fail. Throws exit status 7 if some would. */
export async function writeEstimate(
  context: Context,
  options: BatchCommandOptions,
  inputs: AsyncIterable<Input>,
  extractor: CommandExtractor,
): Promise<void> {
  const { endpoint } = options;
  const refusedLately = await extractor.refusedLately(endpoint);
  const means = {
    balance: await spendableCredits(extractor),
    timeOf: (limits: ReadonlyMap<number, number>) =>
      paceTime(endpoint, extractor.config, limits, refusedLately)?.expected,
  };
  const read = async (store: SeenNames | null) =>
    unlessAborted(context.signal, estimate(endpoint, inputs, means, await inputsReadBefore(options, store)));
  const data =
    options.steps.new === undefined ? await read(null) : await withSeenNames(extractor.config.home, read);
  const priced = await hasPrices(context);
  const text =
    options.json || !context.stdout.isTTY
      ? estimateJson(data, priced)
      : await estimateText(data, options, context.stdout, priced);
  await context.stdout.write(text);
  if (data.wrong > 0) throw new ExitStatusError(7);
}
