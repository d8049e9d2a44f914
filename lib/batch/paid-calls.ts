import { decodeTime } from 'ulid';
import { type Ledger, localAccount } from '../ledger/ledger.js';
import { isoTime } from '../read/iso-time.js';

/** Charged calls of a batch, with their credits, by id. */
export type PaidCalls = ReadonlyMap<string, number>;

const dayMs = 24 * 60 * 60 * 1000;
const pageSize = 1000;

/**
 * Returns the calls that earlier runs of a batch paid for and whose inputs have no lines yet (`isLeft`, by index). A
 * killed run leaves them behind: they are spent, and not charged again when their inputs restart.
 */
export async function paidCalls(
  ledger: Ledger,
  { id, endpoint }: { readonly id: string; readonly endpoint: string },
  isLeft: (index: number, page: number) => boolean,
): Promise<PaidCalls> {
  const calls = new Map<string, number>();
  // The clock may have been set back slightly since.
  const from = isoTime(Math.max(0, decodeTime(id.slice(id.indexOf('_') + 1)) - dayMs));
  let before: string | undefined;
  do {
    const { rows, next } = await ledger.usage(localAccount, { limit: pageSize, endpoint, from, before });
    for (const { id: call, credits_charged: credits } of rows) {
      const [batch, index, page = '1'] = call.split(':');
      if (batch === id && credits > 0 && isLeft(Number(index), Number(page))) calls.set(call, credits);
    }
    before = next ?? undefined;
  } while (before !== undefined);
  return calls;
}
