import { localAccount } from '../../../lib/ledger/ledger.js';
import { type Estimate, estimate } from '../../batch-files/dry-run.js';
import type { Input } from '../../batch-files/input.js';
import type { CommandExtractor, Context } from '../context.js';
import { ExitStatusError } from '../exit-status-error.js';
import { printable } from '../printable.js';
import type { BatchCommandOptions } from './batch-options.js';

const number = (value: number) => value.toLocaleString('en-US');

/** A dry run in words. */
function estimateText(estimate: Estimate): string {
  const { endpoint, inputs, wrong, problems, credits_each, credits, balance_before, balance_after } =
    estimate;
  const lines = [
    `${number(inputs)} inputs for ${endpoint}, ${credits_each} credits each: ${number(credits)} credits at most for one call each.`,
    `Balance: ${number(balance_before)} before, ${number(balance_after)} after.`,
    ...(balance_after < 0 ? ['The balance does not cover it.'] : []),
    wrong === 0
      ? 'Every line can be asked.'
      : `${number(wrong)} would fail for what stands in them, at no cost:`,
    ...problems.map(({ message, code }) => `  ${message}  ${code}`),
    ...(wrong > problems.length ? [`  and ${number(wrong - problems.length)} more`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Writes what a batch would cost and which inputs would fail: status 7 where some would. */
export async function writeEstimate(
  context: Context,
  options: BatchCommandOptions,
  inputs: AsyncIterable<Input>,
  extractor: CommandExtractor,
): Promise<void> {
  const { credits } = await (await extractor.ledger()).balance(localAccount);
  const data = await estimate(options.endpoint, inputs, credits);
  const text =
    options.json || !context.stdout.isTTY ? `${JSON.stringify({ data })}\n` : printable(estimateText(data));
  await context.stdout.write(text);
  if (data.wrong > 0) throw new ExitStatusError(7);
}
