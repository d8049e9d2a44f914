import type { Pack } from '../../accounts/packs/payments.js';
import { amountText } from '../../config/currency.js';

/** A number as it is written in English. */
export const grouped = (amount: number) => amount.toLocaleString('en-US');

/** An amount of credits. */
export function Credits({ amount }: { amount: number }) {
  return (
    <span className="credits">
      <b>{grouped(amount)}</b> {amount === 1 ? 'credit' : 'credits'}
    </span>
  );
}

/** A price as people write it. */
export function priceText({ amount, currency }: Pick<Pack, 'amount' | 'currency'>): string {
  return amount === null ? 'Price on request' : amountText(amount, currency, 'en-US');
}
