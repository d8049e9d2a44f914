import type { Caller, RefusedBeforeCharge } from '../../../lib/call/call.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { requestedCall, unmeasured } from '../../../lib/ledger/call-row.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { noRefusedCalls, type RefusedCalls } from './refused-calls.js';

interface CallOwner {
  readonly account: string;
  readonly key: Caller['key'];
}

/** What a refused request was for: an endpoint, or `jobs` for creating a job. */
interface NamedEndpoint {
  readonly path: string;
}

/** A request that ended before it was charged. */
interface Refusal extends Omit<RefusedBeforeCharge, 'endpoint'> {
  readonly endpoint: NamedEndpoint;
}

/** Records calls that were refused before they were charged, at any stage. */
export class RefusalNotes {
  readonly calls: RefusedCalls;
  readonly #clock: Clock;
  readonly #owners = new WeakMap<object, CallOwner>();

  /** Without a store, nothing is recorded. */
  constructor(calls: RefusedCalls = noRefusedCalls, clock: Clock) {
    this.calls = calls;
    this.#clock = clock;
  }

  /** Runs work with a key before its call starts, and records whose call an error thrown by it belongs to. */
  under<T>(owner: CallOwner | null, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (owner !== null) this.remember(owner, error);
      throw error;
    }
  }

  /** Records whose request ended with an error. */
  remember(owner: CallOwner, error: unknown): void {
    if (error instanceof ExtractError) this.#owners.set(error, owner);
  }

  /** Records a request that ended with an error, if its owner is known. */
  noteFailure(error: unknown, endpoint: NamedEndpoint | null, id: string): void {
    if (endpoint === null || !(error instanceof ExtractError)) return;
    const owner = this.#owners.get(error);
    if (owner === undefined) return;
    const { account, key } = owner;
    this.noteCall({
      endpoint,
      code: error.code,
      caller: { requestId: id, account, key },
      measures: unmeasured,
    });
  }

  noteCall({ endpoint, caller, code, measures }: Refusal): void {
    const { requestId: id, account, key } = caller;
    if (account === null) return;
    const at = this.#clock.now();
    this.calls.note({ ...requestedCall({ id, endpoint: endpoint.path, at, key }, measures), account, code });
  }
}
