import { amountText } from '../../../lib/currency.js';
import type { Pack } from '../../accounts/packs/payments.js';

/** A price as people write it. */
export function priceText({ amount, currency }: Pick<Pack, 'amount' | 'currency'>): string {
  return amount === null ? 'Price on request' : amountText(amount, currency, 'en-US');
}
