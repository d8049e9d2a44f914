import { ExtractError } from '../errors/extract-error.js';
import type { Clock } from '../runtime/clock.js';
import { newRequestId } from '../runtime/request-id.js';
import { type Charge, type Ledger, localAccount } from './ledger.js';

/** The pack that a machine's local account starts with, and receives again when its balance runs out. */
export const localPack = { account: localAccount, credits: 50_000, kind: 'pack' } as const;

const isUncovered = (error: unknown): error is ExtractError =>
  error instanceof ExtractError && error.code === 'insufficient_credits';

/**
 * Wraps a ledger so that an uncovered charge of the local account calls `onShort`, which either resolves to retry the
 * charge or rejects.
 */
function withLocalAccount(ledger: Ledger, onShort: (error: ExtractError) => Promise<unknown>): Ledger {
  async function withRetry<T>(charge: Charge, take: (charge: Charge) => Promise<T>): Promise<T> {
    try {
      return await take(charge);
    } catch (error) {
      if (charge.account !== localAccount || !isUncovered(error)) throw error;
      await onShort(error);
      return take(charge);
    }
  }

  return {
    charge: (unit) => withRetry(unit, (charge) => ledger.charge(charge)),
    pay: (unit) => withRetry(unit, (charge) => ledger.pay(charge)),
    settle: (id, ending) => ledger.settle(id, ending),
    refund: (id) => ledger.refund(id),
    grant: (grant) => ledger.grant(grant),
    balance: (account) => ledger.balance(account),
    usage: (account, query) => ledger.usage(account, query),
    checkWritable: () => ledger.checkWritable(),
    close: () => ledger.close(),
  };
}

/**
 * Returns a ledger whose local account never runs out: credits cannot be bought for one's own machine, so a refusal
 * would have no remedy. An uncovered charge grants a pack as an ordinary row, so that the balance remains the sum of
 * the ledger. Other accounts are charged normally.
 */
export function withEndlessLocalAccount(ledger: Ledger, clock: Clock): Ledger {
  let granting: Promise<number> | undefined;

  /** Concurrent uncovered calls share one pack. */
  function grantPack(): Promise<number> {
    const at = new Date(clock.now()).toISOString();
    granting ??= ledger.grant({ ...localPack, id: newRequestId(), at }).finally(() => {
      granting = undefined;
    });
    return granting;
  }

  return withLocalAccount(ledger, grantPack);
}

/** Returns a ledger whose local account is limited to its balance. The error names the command that adds credits. */
export function withFixedLocalAccount(ledger: Ledger): Ledger {
  return withLocalAccount(ledger, async (error) => {
    throw error.withSentence('`extract usage credits add 50000` adds some.');
  });
}
