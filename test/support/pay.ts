import type { Charge, Ledger } from '../../lib/ledger/ledger.js';

/** Lets a call that is answered already pay, and tells the balance. */
export function pay(ledger: Ledger, charge: Charge): Promise<number> {
  return ledger.pay(charge);
}
