import { ExtractError } from '../errors/extract-error.js';
import { type Clock, elapsed, systemClock } from './clock.js';

/** Milliseconds of such work per turn of the event loop. The piece that exceeds it is the last. */
const turnMs = 1;
/** While other accounts make calls, an account gets one part of the loop in this many. */
const share = 5;
/** Milliseconds of work after which a rested account must rest again, and the maximum rest. */
const [freeMs, maxRestMs] = [20, 60];
/** Milliseconds for which an account that made a call counts as calling. */
const callingMs = 100;
/** Consecutive turns of the loop reserved for new connections. */
const maxNewcomers = 100;
/** Maximum remembered accounts and names. */
const maxNames = 10_000;

interface Piece {
  readonly begin: () => void;
  readonly laterMs: number;
}

/**
 * A queue in which an account's tasks run one at a time. At most `maxWaiting` tasks of an account wait; `refusal` tells
 * the client what to do.
 */
export interface Queue {
  readonly name: string;
  readonly maxWaiting: number;
  readonly refusal: string;
}

/** Waiting work, by account and name: an account's jobs, or the hosts of its deliveries. */
type WaitingWork<T> = ReadonlyMap<string, ReadonlyMap<string, T>>;

interface StartedWork<T> {
  readonly name: string;
  readonly work: T;
  readonly end: () => void;
}

/** How much work of an account or a name is running, and when it last had a turn. */
interface TurnState {
  running: number;
  last: number;
}

interface Line {
  /** Resolves when the account's next task may start. */
  free: Promise<void>;
  count: number;
}

/**
 * Schedules accounts, so that none waits for all the work of another. `next` shares the event loop for everything other
 * than calls: work in pieces of about a millisecond, at most one per turn of the loop, alternating between accounts.
 * While other accounts make calls, an account gets at most a fifth of the loop; otherwise all of it. No transaction may
 * be open during a wait, because it would wait, too. `run` queues an account's tasks, and `begin` chooses among work
 * that waits for a free slot.
 */
export class AccountTurns {
  readonly #clock: Pick<Clock, 'now' | 'elapsed' | 'alarm'>;
  /** Waiting pieces by account, in order of arrival. The account whose turn it is comes first. */
  readonly #waiting = new Map<string, Piece[]>();
  /** Until when an account has exceeded its share: `share` times the time it used, counted from the last piece. */
  readonly #paidUntil = new Map<string, number>();
  /** The last account that made a call, the last other one, and when. */
  #last = { account: '', at: Number.NEGATIVE_INFINITY };
  #other = this.#last;
  #isAtWork = false;
  #hasNewcomer = false;
  #newcomers = 0;
  #wake: () => void = () => undefined;
  /** By queue and account. */
  readonly #lines = new Map<string, Line>();
  /** By account and by name, the one with the latest turn last. */
  readonly #accounts = new Map<string, TurnState>();
  readonly #names = new Map<string, TurnState>();
  #turns = 0;

  constructor(clock: Pick<Clock, 'now' | 'elapsed' | 'alarm'> = systemClock) {
    this.#clock = clock;
  }

  /** Records a call of an account, for which other accounts' work makes room. */
  recordCall(account: string): void {
    if (account !== this.#last.account) this.#other = this.#last;
    this.#last = { account, at: elapsed(this.#clock) };
  }

  /**
   * Records a new connection. Node accepts one per turn of the loop, so work waits until those behind it are accepted.
   */
  recordConnection(): void {
    this.#hasNewcomer = true;
  }

  /**
   * Waits until an account may run its next piece, which ends at its first await. `laterMs` is how long it occupies the
   * loop afterwards.
   */
  next(account: string, laterMs = 0): Promise<void> {
    return new Promise((begin) => {
      const pieces = this.#waiting.get(account) ?? [];
      pieces.push({ begin, laterMs });
      this.#waiting.set(account, pieces);
      this.#wakeUp();
    });
  }

  /** Runs a task after the account's earlier tasks in the queue. Rejects `rate_limited`, or as the task does. */
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

  /**
   * Starts the next work: of the account, then of its name, with the least work running, then with the longest wait.
   * Null if no account with less than `max` running has work that may start.
   */
  begin<T>(
    queue: WaitingWork<T>,
    max: number,
    mayBegin: (work: T, name: string, running: number) => boolean,
  ): StartedWork<T> | null {
    const isReady = (work: T, name: string) => mayBegin(work, name, this.#names.get(name)?.running ?? 0);
    const isFree = (account: string) => {
      if ((this.#accounts.get(account)?.running ?? 0) >= max) return false;
      for (const [name, work] of queue.get(account) ?? []) if (isReady(work, name)) return true;
      return false;
    };
    const account = first(this.#accounts, queue.keys(), isFree);
    if (account === undefined) return null;
    const works = queue.get(account) as ReadonlyMap<string, T>;
    const name = first(this.#names, works.keys(), (one) => isReady(works.get(one) as T, one)) as string;
    return { name, work: works.get(name) as T, end: this.#take(account, name) };
  }

  #take(account: string, name: string): () => void {
    this.#turns += 1;
    const states = [stateOf(this.#accounts, account), stateOf(this.#names, name)];
    for (const state of states) {
      state.running += 1;
      state.last = this.#turns;
    }
    return () => {
      for (const state of states) state.running -= 1;
    };
  }

  #wakeUp(): void {
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

  /** Starts pieces one after the other until they have taken this long. */
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
    // Ticks run after all pending promises, so the synchronous part of the piece is over.
    void Promise.resolve().then(() =>
      process.nextTick(() => {
        const at = elapsed(this.#clock);
        const took = at - began + piece.laterMs;
        this.#charge(account, took, at);
        if (took < leftMs) this.#work(leftMs - took);
        else {
          this.#isAtWork = false;
          if (this.#waiting.size > 0) this.#wakeUp();
        }
      }),
    );
  }

  #charge(account: string, ms: number, at: number): void {
    const paidUntil = Math.max(this.#paidUntil.get(account) ?? 0, at - freeMs * share);
    this.#paidUntil.set(account, Math.min(paidUntil + ms * share, at + maxRestMs));
  }

  /** Returns the account whose turn it is among those that need not rest; null if all must. */
  #whoseTurn(now: number): string | null {
    for (const account of this.#waiting.keys()) {
      const paidUntil = this.#paidUntil.get(account) ?? 0;
      if (paidUntil <= now || !this.#othersCall(account, now)) return account;
    }
    return null;
  }

  #othersCall(account: string, now: number): boolean {
    const { at } = this.#last.account === account ? this.#other : this.#last;
    return now - at < callingMs;
  }

  /** Waits until the first waiting account may continue. */
  #rest(now: number): void {
    this.#isAtWork = false;
    if (this.#waiting.size > 0) {
      const first = Math.min(
        ...[...this.#waiting.keys()].map((account) => this.#paidUntil.get(account) ?? 0),
      );
      this.#wake = this.#clock.alarm(Math.max(1, first - now), () => this.#wakeUp());
      return;
    }
    for (const [account, until] of this.#paidUntil) {
      if (until < now - freeMs * share) this.#paidUntil.delete(account);
    }
  }
}

function stateOf(states: Map<string, TurnState>, name: string): TurnState {
  const state = states.get(name) ?? { running: 0, last: 0 };
  states.delete(name);
  if (states.size >= maxNames) {
    for (const [one, { running }] of states) {
      if (running > 0) continue;
      states.delete(one);
      break;
    }
  }
  states.set(name, state);
  return state;
}

/** Returns the free name with the least work running; among equals, the one that has waited longest. */
function first(
  states: ReadonlyMap<string, TurnState>,
  names: Iterable<string>,
  isFree: (name: string) => boolean,
): string | undefined {
  let least: { readonly name: string; readonly running: number; readonly last: number } | undefined;
  for (const name of names) {
    const { running = 0, last = 0 } = states.get(name) ?? {};
    const isBefore =
      least === undefined || running < least.running || (running === least.running && last < least.last);
    if (isBefore && isFree(name)) least = { name, running, last };
  }
  return least?.name;
}

export const accountTurns = new AccountTurns();
