import { ExtractError } from '../errors/extract-error.js';
import type { Clock } from '../runtime/clock.js';
import { newRequestId } from '../runtime/request-id.js';
import { type Charge, type Ledger, localAccount } from './ledger.js';

/** The pack that the account of a machine's own use begins with, and gets again whenever it falls short. */
export const localPack = { account: localAccount, credits: 50_000, kind: 'pack' } as const;

const fellShort = (error: unknown): error is ExtractError =>
  error instanceof ExtractError && error.code === 'insufficient_credits';

/** A ledger that asks, where a charge of the local account falls short, for a way on: it tries again, or rejects. */
function withLocalAccount(ledger: Ledger, onShort: (error: ExtractError) => Promise<unknown>): Ledger {
  async function charged<T>(charge: Charge, take: (charge: Charge) => Promise<T>): Promise<T> {
    try {
      return await take(charge);
    } catch (error) {
      if (charge.account !== localAccount || !fellShort(error)) throw error;
      await onShort(error);
      return take(charge);
    }
  }

  return {
    charge: (given) => charged(given, (charge) => ledger.charge(charge)),
    pay: (given) => charged(given, (charge) => ledger.pay(charge)),
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
 * A ledger whose local account never runs out. Nobody sells credits to one's own machine, so there is nothing that a
 * refusal could ask for. A pack is granted where a charge falls short: a row of the books like any other, so that the
 * sum of the ledger stays the balance. Every other account is charged as ever.
 */
export function withEndlessLocalAccount(ledger: Ledger, clock: Clock): Ledger {
  let granting: Promise<number> | undefined;

  /** Calls that fall short together share one pack. */
  function grantPack(): Promise<number> {
    const at = new Date(clock.now()).toISOString();
    granting ??= ledger.grant({ ...localPack, id: newRequestId(), at }).finally(() => {
      granting = undefined;
    });
    return granting;
  }

  return withLocalAccount(ledger, grantPack);
}

/** A ledger whose local account is kept to what it has: a refusal names the command that adds credits to it. */
export function withFixedLocalAccount(ledger: Ledger): Ledger {
  return withLocalAccount(ledger, async (error) => {
    throw error.withSentence('`extract credits add 50000` adds some.');
  });
}
