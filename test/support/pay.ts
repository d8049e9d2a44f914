import type { Charge, Ledger } from '../../lib/ledger/ledger.js';

/** Charges an answered call, and returns the balance. */
export function pay(ledger: Ledger, charge: Charge): Promise<number> {
  return ledger.pay(charge);
}
