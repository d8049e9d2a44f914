import { monotonicFactory } from 'ulid';
import { isoOrNull, isoTime } from '../../../../lib/read/iso-time.js';
import type { Purchase } from './payments.js';

/** A purchase as stored. Times are milliseconds since 1970. */
export interface PurchaseRow extends Omit<Purchase, 'created_at' | 'paid_at' | 'buyer'> {
  readonly company: string | null;
  readonly tax_number: string | null;
  readonly created_at: number;
  readonly paid_at: number | null;
  readonly submitted_at: number | null;
}

/**
 * Milliseconds for which an order can be paid with Stripe: its page lasts a day, but is not used to the last minute.
 */
const stripeMs = 23 * 3_600_000;
/** Milliseconds after which that page certainly no longer exists. */
export const expiredMs = 25 * 3_600_000;

const nextId = monotonicFactory();

export const newPurchaseId = (now: number) => `pur_${nextId(now)}`;

export function toPurchase({ submitted_at: _, company, tax_number, ...row }: PurchaseRow): Purchase {
  return {
    ...row,
    created_at: isoTime(row.created_at),
    paid_at: isoOrNull(row.paid_at),
    buyer: company === null ? null : { company, tax_number: tax_number ?? '' },
  };
}

/** Returns true for an open purchase that its buyer can still pay. */
export function isPayable({ status, method, submitted_at, created_at }: PurchaseRow, now: number): boolean {
  return status === 'open' && submitted_at === null && (method === 'hand' || now < created_at + stripeMs);
}
