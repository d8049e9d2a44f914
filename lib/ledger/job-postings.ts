import { ExtractError } from '../errors/extract-error.js';
import type { CallRow } from './call-row.js';
import { type EndedEntry, type InputEnding, inputId, type Reserve } from './job-input.js';
import { monthlyLimitReached } from './key-limit.js';
import { endedRow } from './postings.js';
import type { UnitOfWork } from './unit-of-work.js';

const credits = (count: number) => (count === 1 ? '1 credit' : `${count} credits`);

/** Throws `insufficient_credits` if the account, or the key within its limit, cannot pay for this many inputs. */
export function checkJobFunds(
  { credits: price, count, key, at }: Pick<Reserve, 'credits' | 'count' | 'key' | 'at'>,
  balance: number,
  spent: number,
): void {
  const cost = price * count;
  const limit = key?.monthlyCredits;
  // A free job passes every limit, including one lowered below what was spent this month.
  if (key !== undefined && limit !== null && limit !== undefined && cost > 0 && spent + cost > limit) {
    throw monthlyLimitReached({ name: key.name, limit, spent, price: cost, at, what: 'job' });
  }
  if (balance >= cost) return;
  throw new ExtractError(
    'insufficient_credits',
    `The job costs ${credits(cost)}, but the balance is ${credits(balance)}. Nothing was charged.`,
  );
}

/** Returns the final price of a pending input: at most its reserved price. */
function endedPrice(row: CallRow, ending: InputEnding): number {
  if (ending.status === 'failed') return 0;
  // An earlier version could lose the line of an input, refund it and start it again. Its answer is free.
  if (row.credits_refunded > 0) return Math.min(row.credits_charged, ending.credits);
  if (ending.credits <= row.credits_charged) return ending.credits;
  throw new ExtractError('internal_error', `The input ${row.id} costs more than was reserved for it.`);
}

/** The inputs that were ended, and the refunded credits. */
export interface EndedInputs<Entry> {
  readonly ended: readonly Entry[];
  readonly refunded: number;
}

/** Ends the pending rows of some inputs, and refunds the rest of their price. */
export function endPending<Entry extends EndedEntry>(
  unit: UnitOfWork,
  job: string,
  account: string,
  inputs: readonly Entry[],
): EndedInputs<Entry> {
  const before = unit.balance(account).credits;
  const endedInputs = inputs.filter((input) => {
    const row = unit.row(inputId(job, input.index));
    if (row?.status !== 'pending') return false;
    const { ending, at = row.created_at, measures } = input;
    unit.put({ ...endedRow(row, ending, endedPrice(row, ending), measures), created_at: at });
    return true;
  });
  return { ended: endedInputs, refunded: unit.balance(account).credits - before };
}
