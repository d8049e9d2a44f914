import { createHash } from 'node:crypto';
import type { Clock } from '../../../lib/runtime/clock.js';
import type { ExpiringStore } from '../../service/expiring-store/expiring-store.js';

const kind = 'cancelled';
/** Milliseconds between two checks for calls cancelled on other servers; also how long a cancellation is stored. */
const pollMs = 1_000;
const lifetimeMs = 10 * 60_000;

/**
 * A client's request. Its id is a number or a string, which are distinct even if they look alike, and every client
 * starts at 0.
 */
export interface CallName {
  /** The key of the call, or an empty string. Only its holder can cancel the call. */
  readonly credential: string;
  readonly session: string;
  readonly request: string | number;
}

/** Hashed, because the client chooses all parts, of any length. */
const idOf = ({ credential, session, request }: CallName) =>
  createHash('sha256')
    .update(JSON.stringify([credential, session, request]))
    .digest('base64url');

/**
 * Calls in progress of clients that cancel by a separate message, as in revisions before 2026-07-28. The message may
 * reach a different server than the call.
 */
export class RunningCalls {
  readonly #clock: Clock;
  readonly #shared: ExpiringStore | undefined;
  readonly #cancels = new Map<string, () => void>();

  constructor(clock: Clock, shared: ExpiringStore | undefined) {
    this.#clock = clock;
    this.#shared = shared;
  }

  /** Allows a call to be cancelled until `over` is aborted. */
  add(name: CallName, over: AbortSignal, cancel: () => void): void {
    const id = idOf(name);
    this.#cancels.set(id, cancel);
    const forget = () => {
      // A client that reuses an ID means its last call.
      if (this.#cancels.get(id) === cancel) this.#cancels.delete(id);
    };
    over.addEventListener('abort', forget, { once: true });
    if (this.#shared !== undefined) this.#checkLater(this.#shared, id, over);
  }

  /** Cancels a call that runs here; false if there is none. */
  cancel(name: CallName): boolean {
    const cancel = this.#cancels.get(idOf(name));
    cancel?.();
    return cancel !== undefined;
  }

  async cancelElsewhere(name: CallName): Promise<void> {
    await this.#shared?.claim(kind, idOf(name), lifetimeMs);
  }

  #checkLater(shared: ExpiringStore, id: string, over: AbortSignal): void {
    const poll = async () => {
      if (over.aborted) return;
      // A failed check is repeated; the call continues meanwhile.
      const cancellation = await shared.find(kind, id).catch(() => undefined);
      if (cancellation === undefined) this.#checkLater(shared, id, over);
      else if (!over.aborted) this.#cancels.get(id)?.();
    };
    this.#clock.alarm(pollMs, () => void poll(), false);
  }
}
