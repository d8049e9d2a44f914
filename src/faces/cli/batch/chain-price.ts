import { inputsPrice, reservedPrice } from '../../../../lib/call/price.js';
import { integerText } from '../../../output/number-text.js';
import type { BatchCommandOptions } from './batch-options.js';

/** The maximum price of a stage: null if the number of items is unknown. */
export interface StagePrice {
  readonly endpoint: string;
  readonly inputs_at_least: number;
  readonly inputs_at_most: number | null;
  readonly credits_each: number;
  readonly credits_at_least: number;
  readonly credits_at_most: number | null;
}

/** Returns the maximum number of items of an answer passed to the next stage; null for complete lists. */
function maxItems({ endpoint, all, chained }: BatchCommandOptions): number | null {
  const itemLimit = endpoint.many ? (all ? null : (endpoint.page?.max ?? null)) : 1;
  const limit = chained?.maxItems ?? null;
  if (itemLimit === null || limit === null) return itemLimit ?? limit;
  return Math.min(itemLimit, limit);
}

const times = (one: number | null, other: number | null) =>
  one === null || other === null ? null : one * other;

/** Returns the maximum price of each stage, from the number of inputs; null if they are not counted. */
export function chainPrice(stages: readonly BatchCommandOptions[], inputs: number | null): StagePrice[] {
  let least = inputs ?? 0;
  let most = inputs;
  return stages.map((stage) => {
    const { endpoint, all, defaults } = stage;
    const isFree = defaults.demo === true;
    const price = {
      endpoint: endpoint.path,
      inputs_at_least: least,
      inputs_at_most: most,
      credits_each: reservedPrice(endpoint, isFree),
      credits_at_least: isFree ? 0 : inputsPrice(endpoint, least),
      credits_at_most: isFree ? 0 : all || most === null ? null : inputsPrice(endpoint, most),
    };
    most = times(most, maxItems(stage));
    least = 0;
    return price;
  });
}

const range = (least: number, most: number | null) =>
  most === null
    ? `${integerText(least)} or more`
    : least === most
      ? integerText(least)
      : `${integerText(least)} to ${integerText(most)}`;

export function totalPrice(prices: readonly StagePrice[]) {
  return {
    credits_at_least: prices.reduce((sum, one) => sum + one.credits_at_least, 0),
    credits_at_most: prices.reduce<number | null>(
      (sum, one) => (sum === null || one.credits_at_most === null ? null : sum + one.credits_at_most),
      0,
    ),
  };
}

/** Formats a line for each stage and, with `priced`, a total. */
export function chainPriceText(prices: readonly StagePrice[], priced: boolean): string {
  const stages = prices.map((one, at) => {
    const inputs = range(one.inputs_at_least, one.inputs_at_most);
    const credits = range(one.credits_at_least, one.credits_at_most);
    const price = priced ? ` × ${one.credits_each} credits = ${credits}` : '';
    return `Stage ${at + 1}, ${one.endpoint}: ${inputs} ${inputs === '1' ? 'input' : 'inputs'}${price}.`;
  });
  if (!priced) return `${stages.join('\n')}\n`;
  const { credits_at_least: least, credits_at_most: most } = totalPrice(prices);
  return `${[...stages, `Total: ${range(least, most)} credits; --limit-credits limits them.`].join('\n')}\n`;
}
