import { ExtractError } from '../errors/extract-error.js';
import { type Clock, elapsed, systemClock } from './clock.js';

/** Milliseconds of such work in one turn of the event loop: the piece that goes beyond them is the last. */
const turnMs = 1;
/** Where others call, an account may have one part in so many of the loop. */
const share = 5;
/** Milliseconds of work for which an account that rested has no need to rest again, and those that a rest takes at most. */
const [freeMs, maxRestMs] = [20, 60];
/** Milliseconds for which somebody who has called is taken to be calling. */
const callingMs = 100;
/** Turns of the loop in a row that go to new connections alone. */
const maxNewcomers = 100;

/** What an account waits to do. */
interface Piece {
  readonly begin: () => void;
  readonly laterMs: number;
}

/** Work of which an account does one after the other. At most `maxWaiting` of an account wait, and `refusal` says what to do. */
export interface Queue {
  readonly name: string;
  readonly maxWaiting: number;
  readonly refusal: string;
}

interface Line {
  /** Resolves when the next of the account may begin. */
  free: Promise<void>;
  count: number;
}

/**
 * Shares the event loop out among accounts, for all that is no call: work in pieces of about a millisecond, of which a turn of
 * the loop does no more. Accounts take turns. Where others call, an account has a fifth of the loop at most, and all of it
 * where nobody does. No transaction may be open meanwhile: it would wait as well.
 */
export class AccountTurns {
  readonly #clock: Pick<Clock, 'now' | 'elapsed' | 'alarm'>;
  /** Those who wait, in the order in which they came, by account; whose turn it is comes first. */
  readonly #waiting = new Map<string, Piece[]>();
  /** Until when what an account has done is more than its share; `share` times what it took, behind the last. */
  readonly #paidUntil = new Map<string, number>();
  /** The last account that called, the last other one, and when they did. */
  #last = { account: '', at: Number.NEGATIVE_INFINITY };
  #other = this.#last;
  #isAtWork = false;
  #hasNewcomer = false;
  #newcomers = 0;
  #wake: () => void = () => undefined;
  /** By queue and account. */
  readonly #lines = new Map<string, Line>();

  constructor(clock: Pick<Clock, 'now' | 'elapsed' | 'alarm'> = systemClock) {
    this.#clock = clock;
  }

  /** An account calls: the work of others makes room. */
  noticeCall(account: string): void {
    if (account !== this.#last.account) this.#other = this.#last;
    this.#last = { account, at: elapsed(this.#clock) };
  }

  /** A connection was accepted. Node accepts one in each turn of the loop: work waits, so that those behind it do not. */
  noticeConnection(): void {
    this.#hasNewcomer = true;
  }

  /**
   * Waits until an account may do its next piece, which ends where it waits for anything. `laterMs`: what the loop does for it
   * after that.
   */
  next(account: string, laterMs = 0): Promise<void> {
    return new Promise((begin) => {
      const pieces = this.#waiting.get(account) ?? [];
      pieces.push({ begin, laterMs });
      this.#waiting.set(account, pieces);
      this.#begin();
    });
  }

  /** Does the work of an account behind its earlier work in the queue. Rejects `rate_limited`, and as the work does. */
  async run<T>({ name, maxWaiting, refusal }: Queue, account: string, work: () => Promise<T>): Promise<T> {
    const key = `${name} ${account}`;
    const line = this.#lines.get(key) ?? { free: Promise.resolve(), count: 0 };
    if (line.count > maxWaiting) throw new ExtractError('rate_limited', refusal, { retryAfter: 1 });
    this.#lines.set(key, line);
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
      if (line.count === 0) this.#lines.delete(key);
    }
  }

  #begin(): void {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    this.#wake();
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#newcomers = this.#hasNewcomer ? this.#newcomers + 1 : 0;
    this.#hasNewcomer = false;
    if (this.#newcomers % (maxNewcomers + 1) === 0) this.#work(turnMs);
    else setImmediate(() => this.#turn());
  }

  /** Begins pieces one after the other, until they have taken so long. */
  #work(leftMs: number): void {
    const began = elapsed(this.#clock);
    const account = this.#whoseTurn(began);
    const pieces = account === null ? undefined : this.#waiting.get(account);
    const piece = pieces?.shift();
    if (account === null || pieces === undefined || piece === undefined) {
      this.#rest(began);
      return;
    }
    this.#waiting.delete(account);
    if (pieces.length > 0) this.#waiting.set(account, pieces);
    piece.begin();
    // Ticks follow when all that was promised has been done: what the piece does at once is over.
    void Promise.resolve().then(() =>
      process.nextTick(() => {
        const at = elapsed(this.#clock);
        const took = at - began + piece.laterMs;
        this.#charge(account, took, at);
        if (took < leftMs) this.#work(leftMs - took);
        else {
          this.#isAtWork = false;
          if (this.#waiting.size > 0) this.#begin();
        }
      }),
    );
  }

  #charge(account: string, ms: number, at: number): void {
    const paid = Math.max(this.#paidUntil.get(account) ?? 0, at - freeMs * share);
    this.#paidUntil.set(account, Math.min(paid + ms * share, at + maxRestMs));
  }

  /** The account whose turn it is among those that need not rest; null where each must. */
  #whoseTurn(now: number): string | null {
    for (const account of this.#waiting.keys()) {
      const paid = this.#paidUntil.get(account) ?? 0;
      if (paid <= now || !this.#othersCall(account, now)) return account;
    }
    return null;
  }

  #othersCall(account: string, now: number): boolean {
    const { at } = this.#last.account === account ? this.#other : this.#last;
    return now - at < callingMs;
  }

  /** Nobody works until the first who waits may again. */
  #rest(now: number): void {
    this.#isAtWork = false;
    if (this.#waiting.size > 0) {
      const first = Math.min(
        ...[...this.#waiting.keys()].map((account) => this.#paidUntil.get(account) ?? 0),
      );
      this.#wake = this.#clock.alarm(Math.max(1, first - now), () => this.#begin());
      return;
    }
    for (const [account, until] of this.#paidUntil) {
      if (until < now - freeMs * share) this.#paidUntil.delete(account);
    }
  }
}

/** The turns of this process. */
export const accountTurns = new AccountTurns();
