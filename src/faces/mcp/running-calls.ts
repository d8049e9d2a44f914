import { createHash } from 'node:crypto';
import type { Clock } from '../../../lib/runtime/clock.js';
import type { ExpiringStore } from '../../service/expiring-store/expiring-store.js';

const kind = 'cancelled';
/** Milliseconds from one look for calls cancelled on other servers to the next, and for which a cancellation is kept. */
const lookEveryMs = 1_000;
const lifetimeMs = 10 * 60_000;

/** A request of a client. Its id is a number or a text, and those that look alike are two; every client begins at 0. */
export interface CallName {
  /** The key that the call came with, or an empty text. Nobody else can cancel it. */
  readonly credential: string;
  readonly session: string;
  readonly request: string | number;
}

/** All that a client chose is hashed, however long it is. */
const idOf = ({ credential, session, request }: CallName) =>
  createHash('sha256')
    .update(JSON.stringify([credential, session, request]))
    .digest('base64url');

/**
 * The calls under way of clients that cancel by a message of its own, as revisions before 2026-07-28 have it. The message
 * may reach another server than the call.
 */
export class RunningCalls {
  readonly #clock: Clock;
  readonly #shared: ExpiringStore | undefined;
  readonly #cancels = new Map<string, () => void>();

  constructor(clock: Clock, shared: ExpiringStore | undefined) {
    this.#clock = clock;
    this.#shared = shared;
  }

  /** Lets a call be cancelled until `over` is aborted. */
  add(name: CallName, over: AbortSignal, cancel: () => void): void {
    const id = idOf(name);
    this.#cancels.set(id, cancel);
    const forget = () => {
      // A client that repeats an ID means the last call with it.
      if (this.#cancels.get(id) === cancel) this.#cancels.delete(id);
    };
    over.addEventListener('abort', forget, { once: true });
    if (this.#shared !== undefined) this.#lookLater(this.#shared, id, over);
  }

  /** Cancels a call that runs here; false where none does. */
  cancel(name: CallName): boolean {
    const cancel = this.#cancels.get(idOf(name));
    cancel?.();
    return cancel !== undefined;
  }

  /** Lets the other servers know that a call is cancelled. */
  async cancelElsewhere(name: CallName): Promise<void> {
    await this.#shared?.claim(kind, idOf(name), lifetimeMs);
  }

  #lookLater(shared: ExpiringStore, id: string, over: AbortSignal): void {
    const look = async () => {
      if (over.aborted) return;
      // A look that fails is repeated: the call goes on meanwhile.
      const found = await shared.find(kind, id).catch(() => undefined);
      if (found === undefined) this.#lookLater(shared, id, over);
      else if (!over.aborted) this.#cancels.get(id)?.();
    };
    this.#clock.alarm(lookEveryMs, () => void look(), false);
  }
}
