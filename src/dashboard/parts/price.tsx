import type { Pack } from '../../accounts/packs/payments.js';

/** What so much of a currency's smallest unit is, as people write it; where no price is set, that. */
export function priceText({ amount, currency }: Pick<Pack, 'amount' | 'currency'>): string {
  if (amount === null) return 'Price on request';
  const form = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  const { maximumFractionDigits: digits = 2 } = form.resolvedOptions();
  return form.format(amount / 10 ** digits);
}
