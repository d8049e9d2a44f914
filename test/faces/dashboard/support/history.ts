import type { ErrorCode } from '../../../../lib/errors/extract-error.js';
import type { Charge } from '../../../../lib/ledger/ledger.js';
import type { DashboardServer } from './server.js';

export interface MadeCall {
  readonly id: string;
  readonly endpoint: string;
  readonly credits: number;
  /** Milliseconds before the server's now. */
  readonly ago: number;
  readonly key?: { readonly id: string; readonly name: string };
  readonly job?: string;
  /** Error code of a failed call; null for a call that was aborted. */
  readonly code?: ErrorCode | null;
  readonly measures?: Charge['measures'];
}

/** Puts ended calls of an account into the ledger. */
export async function addCalls(
  { ledger, clock }: DashboardServer,
  account: string,
  calls: readonly MadeCall[],
): Promise<void> {
  for (const { id, endpoint, credits, ago, key, job, code, measures } of calls) {
    const at = clock.now() - ago;
    await ledger.charge({ id, account, endpoint, credits, needsPack: false, at, key, job });
    await ledger.settle(
      id,
      code === undefined ? { status: 'ok', cached: false, measures } : { status: 'failed', code, measures },
    );
  }
}

export const minute = 60_000;
export const day = 24 * 60 * minute;
