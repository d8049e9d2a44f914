import type { Estimate } from '../../batch-files/dry-run.js';

const number = (value: number) => value.toLocaleString('en-US');

/** A dry run in words. */
export function estimateText(estimate: Estimate): string {
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
