export function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code);
}

/**
 * Currencies whose smallest unit is not a hundredth (ISO 4217). `Intl` says how amounts are usually displayed, which
 * changes between versions of Node.js: in 2025 it shows no hundredths for HUF, IDR and nine others.
 */
const digitsOf: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

/** Returns the decimal digits of a currency: 2 for EUR, 0 for JPY, 3 for KWD. */
export function currencyDigits(currency: string): number {
  const entry = Object.entries(digitsOf).find(([, codes]) => codes.split(' ').includes(currency));
  return entry === undefined ? 2 : Number(entry[0]);
}

/** Converts a price such as `49.00` to the currency's smallest unit; null for anything else. */
export function amountOf(price: string, currency: string): number | null {
  const digits = currencyDigits(currency);
  const [, units = '', part = ''] = /^(\d{1,9})(?:\.(\d+))?$/.exec(price) ?? [];
  return units === '' || part.length > digits ? null : Number(units + part.padEnd(digits, '0'));
}

function inCurrency(value: number, currency: string, locale: string, digits: number): string {
  const [minimumFractionDigits, maximumFractionDigits] = [digits, digits];
  const options = { style: 'currency', currency, minimumFractionDigits, maximumFractionDigits } as const;
  return new Intl.NumberFormat(locale, options).format(value);
}

/** Formats an amount in the currency's smallest unit for `locale`. */
export function amountText(amount: number, currency: string, locale = 'en'): string {
  const digits = currencyDigits(currency);
  return inCurrency(amount / 10 ** digits, currency, locale, digits);
}

/** Formats a unit price in the same way, with one more digit. */
export function rateText(amount: number, currency: string, locale = 'en'): string {
  const digits = currencyDigits(currency);
  return inCurrency(amount / 10 ** digits, currency, locale, digits + 1);
}

/**
 * Currencies that Stripe counts in another unit than ISO 4217 does: how many of Stripe's units make one of ISO's. Two
 * have lost their hundredths but keep them at Stripe; one has them only by law.
 */
const units: Readonly<Record<string, number>> = { ISK: 100, UGX: 100, MGA: 0.01 };

/** Converts an amount in the currency's smallest unit to Stripe's. */
export function stripeAmount(amount: number, currency: string): number {
  return Math.round(amount * (units[currency] ?? 1));
}
