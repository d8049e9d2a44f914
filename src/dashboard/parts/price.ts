import type { Pack } from '../../accounts/packs/payments.js';
import { amountText } from '../../config/currency.js';

/** A price as people write it. */
export function priceText({ amount, currency }: Pick<Pack, 'amount' | 'currency'>): string {
  return amount === null ? 'Price on request' : amountText(amount, currency, 'en-US');
}
