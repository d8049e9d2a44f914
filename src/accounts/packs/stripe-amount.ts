/**
 * Currencies that Stripe counts in another unit than ISO 4217 does: how many of its units are one of the smallest
 * units of ISO. Two have lost their hundredths and keep them there, one has them by law alone.
 */
const units: Readonly<Record<string, number>> = { ISK: 100, UGX: 100, MGA: 0.01 };

/** An amount in the currency's smallest unit as Stripe counts it. */
export function stripeAmount(amount: number, currency: string): number {
  return Math.round(amount * (units[currency] ?? 1));
}
