import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { Charge, Ledger } from '../../../../lib/ledger/ledger.js';

/**
 * The ledger for a job's call. Creating the job charged its price, and the runner ends its row together with the line,
 * so this only checks whether the account may use `fresh`.
 */
export function reservedLedger(ledger: Ledger): Ledger {
  const allowed = async ({ account, needsPack }: Charge) => {
    if (needsPack && !(await ledger.balance(account)).bought) throw new ExtractError('fresh_not_available');
  };
  return {
    charge: allowed,
    async pay(charge) {
      await allowed(charge);
      return 0;
    },
    settle: async () => 0,
    refund: async () => 0,
    grant: () => Promise.reject(new ExtractError('internal_error', 'A call grants nothing.')),
    balance: ledger.balance.bind(ledger),
    usage: ledger.usage.bind(ledger),
    checkWritable: () => ledger.checkWritable(),
    close: async () => undefined,
  };
}
