import { ExtractError } from '../errors/extract-error.js';

interface Line {
  /** Resolves when the next of the account may begin. */
  free: Promise<void>;
  count: number;
}

/** Runs the work of each account one after the other, beside that of others, and refuses what is too much. */
export class AccountTurns {
  readonly #lines = new Map<string, Line>();
  readonly #maxWaiting: number;
  readonly #refusal: string;

  /** At most `maxWaiting` of one account wait; further ones are refused, and `refusal` says what to do. */
  constructor(maxWaiting: number, refusal: string) {
    this.#maxWaiting = maxWaiting;
    this.#refusal = refusal;
  }

  /** Rejects `rate_limited`, and as the work does. */
  async run<T>(account: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(account) ?? { free: Promise.resolve(), count: 0 };
    if (line.count > this.#maxWaiting) {
      throw new ExtractError('rate_limited', this.#refusal, { retryAfter: 1 });
    }
    this.#lines.set(account, line);
    line.count += 1;
    const turn = line.free;
    let end: () => void = () => undefined;
    line.free = new Promise((resolve) => {
      end = resolve;
    });
    await turn;
    try {
      return await work();
    } finally {
      line.count -= 1;
      end();
      if (line.count === 0) this.#lines.delete(account);
    }
  }
}
