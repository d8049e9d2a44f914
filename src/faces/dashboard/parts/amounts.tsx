import { amountText, rateText } from '../../../config/currency.js';
import { integerText } from '../../../output/number-text.js';
import type { Pack } from '../../../service/accounts/packs/payments.js';

export function Credits({ amount }: { amount: number }) {
  return (
    <span className="credits">
      <b>{integerText(amount)}</b> {amount === 1 ? 'credit' : 'credits'}
    </span>
  );
}

export function priceText({ amount, currency }: Pick<Pack, 'amount' | 'currency'>): string {
  return amount === null ? 'Price on request' : amountText(amount, currency, 'en-US');
}

/** Formats a pack's price per 1,000 credits; null if the pack has no price. */
export function thousandText({ amount, credits, currency }: Pack): string | null {
  return amount === null ? null : rateText((amount * 1000) / credits, currency, 'en-US');
}

/** Formats the price of so many credits in the cheapest pack; null if no pack has a price. */
export function lowestPriceText(packs: readonly Pack[], credits: number): string | null {
  const [best] = packs
    .filter((pack): pack is Pack & { amount: number } => pack.amount !== null)
    .sort((a, b) => a.amount / a.credits - b.amount / b.credits);
  if (best === undefined) return null;
  return amountText(Math.ceil((best.amount * credits) / best.credits), best.currency, 'en-US');
}

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `12.3 GiB` */
export function sizeText(bytes: number): string {
  const step = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const size = bytes / 1024 ** step;
  return `${step === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[step]}`;
}
