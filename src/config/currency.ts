/** True for a currency of ISO 4217, in capitals. */
export function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code);
}

/**
 * Currencies whose smallest unit is no hundredth (ISO 4217). The tables of `Intl` say how amounts are usually shown, which
 * changes with the version of Node.js: those of 2025 have no hundredths of HUF, IDR and nine more.
 */
const digitsOf: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

/** Digits of a currency after the point: 2 for EUR, 0 for JPY, 3 for KWD. */
export function currencyDigits(currency: string): number {
  const found = Object.entries(digitsOf).find(([, codes]) => codes.split(' ').includes(currency));
  return found === undefined ? 2 : Number(found[0]);
}

/** A price such as `49.00` in the currency's smallest unit; null for what is none. */
export function amountOf(price: string, currency: string): number | null {
  const digits = currencyDigits(currency);
  const [, whole = '', part = ''] = /^(\d{1,9})(?:\.(\d+))?$/.exec(price) ?? [];
  return whole === '' || part.length > digits ? null : Number(whole + part.padEnd(digits, '0'));
}

function inCurrency(value: number, currency: string, locale: string, digits: number): string {
  const [minimumFractionDigits, maximumFractionDigits] = [digits, digits];
  const options = { style: 'currency', currency, minimumFractionDigits, maximumFractionDigits } as const;
  return new Intl.NumberFormat(locale, options).format(value);
}

/** An amount in the currency's smallest unit as people of `locale` write it. */
export function amountText(amount: number, currency: string, locale = 'en'): string {
  const digits = currencyDigits(currency);
  return inCurrency(amount / 10 ** digits, currency, locale, digits);
}

/** The same for a price divided, with one digit more. */
export function rateText(amount: number, currency: string, locale = 'en'): string {
  const digits = currencyDigits(currency);
  return inCurrency(amount / 10 ** digits, currency, locale, digits + 1);
}

/**
 * Currencies that Stripe counts in another unit than ISO 4217 does. The value is how many of its units make one of
 * ISO's smallest units. Two have lost their hundredths and keep them there, one has them by law alone.
 */
const units: Readonly<Record<string, number>> = { ISK: 100, UGX: 100, MGA: 0.01 };

/** An amount in the currency's smallest unit as Stripe counts it. */
export function stripeAmount(amount: number, currency: string): number {
  return Math.round(amount * (units[currency] ?? 1));
}
