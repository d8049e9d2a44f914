import { LRUCache } from 'lru-cache';

/** Attempts at once: in all, of one account, and to one host. */
const maxAtOnce = 128;
export const maxPerAccount = 8;
export const maxPerHost = 4;
/** Attempts at once to hosts that did not answer the last time: to one of them, and to all. */
const maxPerSilentHost = 1;
const maxToSilentHosts = 16;
/** Accounts and hosts that are remembered. */
const maxNames = 10_000;

/** An attempt that is due. */
export interface Due {
  /** The same over all attempts. */
  readonly id: string;
  readonly account: string;
  /** Where it goes to. */
  readonly url: string;
}

/** An account or a host: its attempts under way, and when it was last its turn. */
interface TurnState {
  running: number;
  turn: number;
}

class TurnStates {
  readonly #all = new LRUCache<string, TurnState>({ max: maxNames });

  of(name: string): TurnState {
    const state = this.#all.get(name) ?? { running: 0, turn: 0 };
    this.#all.set(name, state);
    return state;
  }

  /** The one with the fewest under way, and of those the one that has waited longest. */
  first(names: Iterable<string>): string | undefined {
    let first: { readonly name: string; readonly state: TurnState } | undefined;
    for (const name of names) {
      const state = this.of(name);
      const { running = 0, turn = 0 } = first?.state ?? {};
      const isBefore = state.running < running || (state.running === running && state.turn < turn);
      if (first === undefined || isBefore) first = { name, state };
    }
    return first?.name;
  }
}

/** Deliveries of accounts by account and host, in their order. */
function grouped<D extends Due>(due: readonly D[]): Map<string, Map<string, D[]>> {
  const accounts = new Map<string, Map<string, D[]>>();
  for (const delivery of due) {
    const { host } = new URL(delivery.url);
    const hosts = accounts.get(delivery.account) ?? new Map<string, D[]>();
    accounts.set(delivery.account, hosts);
    hosts.set(host, [...(hosts.get(host) ?? []), delivery]);
  }
  return accounts;
}

/** An attempt that is begun; `end` is to be called when it is over, with whether the host answered. */
export interface Begun<D extends Due> {
  readonly delivery: D;
  readonly end: (answered: boolean) => void;
}

/**
 * Chooses whose attempt is made next: first between accounts, then between the hosts of an account. The fewest
 * attempts under way go first, then the longest wait. A host that did not answer the last time is tried less.
 */
export class DeliveryTurns<D extends Due> {
  readonly #accounts = new TurnStates();
  readonly #hosts = new TurnStates();
  readonly #silent = new LRUCache<string, true>({ max: maxNames });
  /** Deliveries whose attempt is under way, by their IDs. */
  readonly #underWay = new Set<string>();
  #toSilent = 0;
  #turn = 0;

  /** True when nothing more can be begun now. */
  get isFull(): boolean {
    return this.#underWay.size >= maxAtOnce;
  }

  /** Begins those of some due deliveries whose turn it is, each once. */
  begin(due: readonly D[]): readonly Begun<D>[] {
    const begun: Begun<D>[] = [];
    const accounts = grouped(due.filter(({ id }) => !this.#underWay.has(id)));
    while (!this.isFull) {
      const account = this.#accounts.first(accounts.keys());
      if (account === undefined) break;
      const hosts = accounts.get(account) as Map<string, D[]>;
      const host = this.#hosts.first(hosts.keys());
      const mayMore = this.#accounts.of(account).running < maxPerAccount;
      if (host === undefined || !mayMore) accounts.delete(account);
      else {
        const delivery = this.#mayBegin(host) ? hosts.get(host)?.shift() : undefined;
        if (delivery === undefined) hosts.delete(host);
        else begun.push({ delivery, end: this.#begin(delivery, account, host) });
      }
    }
    return begun;
  }

  #mayBegin(host: string): boolean {
    const { running } = this.#hosts.of(host);
    if (!this.#silent.has(host)) return running < maxPerHost;
    return running < maxPerSilentHost && this.#toSilent < maxToSilentHosts;
  }

  #begin({ id }: D, account: string, host: string): (answered: boolean) => void {
    const states = [this.#accounts.of(account), this.#hosts.of(host)];
    const isSilent = this.#silent.has(host);
    this.#turn += 1;
    this.#underWay.add(id);
    if (isSilent) this.#toSilent += 1;
    for (const state of states) {
      state.running += 1;
      state.turn = this.#turn;
    }
    return (answered) => {
      this.#underWay.delete(id);
      if (isSilent) this.#toSilent -= 1;
      for (const state of states) state.running -= 1;
      if (answered) this.#silent.delete(host);
      else this.#silent.set(host, true);
    };
  }
}
