import { LRUCache } from 'lru-cache';
import type { DueDelivery } from './webhooks.js';

/** Attempts at once: in all, of one account, and to one host. */
const maxAtOnce = 128;
export const maxPerAccount = 8;
export const maxPerHost = 4;
/** Attempts at once to hosts that did not answer the last time: to one of them, and to all. */
const maxPerSilentHost = 1;
const maxToSilentHosts = 16;
/** Accounts and hosts that are remembered. */
const maxNames = 10_000;

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

type ByHost = Map<string, DueDelivery[]>;

/** Deliveries of accounts by account and host, in their order. */
function grouped(due: readonly DueDelivery[]): Map<string, ByHost> {
  const accounts = new Map<string, ByHost>();
  for (const delivery of due) {
    const { host } = new URL(delivery.url);
    const hosts: ByHost = accounts.get(delivery.account) ?? new Map<string, DueDelivery[]>();
    accounts.set(delivery.account, hosts);
    hosts.set(host, [...(hosts.get(host) ?? []), delivery]);
  }
  return accounts;
}

/** An attempt that is begun; `end` is to be called when it is over, with whether the host answered. */
export interface Begun {
  readonly delivery: DueDelivery;
  readonly end: (answered: boolean) => void;
}

/**
 * Chooses whose attempt is made next: first between accounts, then between the hosts of an account. The fewest
 * attempts under way go first, then the longest wait. A host that did not answer the last time is tried less.
 */
export class DeliveryTurns {
  readonly #accounts = new TurnStates();
  readonly #hosts = new TurnStates();
  readonly #silent = new LRUCache<string, true>({ max: maxNames });
  /** Jobs whose attempt is under way. */
  readonly #jobs = new Set<string>();
  #toSilent = 0;
  #turn = 0;

  /** True when nothing more can be begun now. */
  get isFull(): boolean {
    return this.#jobs.size >= maxAtOnce;
  }

  /** Begins those of some due deliveries whose turn it is, each job once. */
  begin(due: readonly DueDelivery[]): readonly Begun[] {
    const begun: Begun[] = [];
    const accounts = grouped(due.filter(({ job }) => !this.#jobs.has(job.id)));
    while (!this.isFull) {
      const account = this.#accounts.first(accounts.keys());
      if (account === undefined) break;
      const hosts = accounts.get(account) as ByHost;
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

  #begin({ job }: DueDelivery, account: string, host: string): (answered: boolean) => void {
    const states = [this.#accounts.of(account), this.#hosts.of(host)];
    const isSilent = this.#silent.has(host);
    this.#turn += 1;
    this.#jobs.add(job.id);
    if (isSilent) this.#toSilent += 1;
    for (const state of states) {
      state.running += 1;
      state.turn = this.#turn;
    }
    return (answered) => {
      this.#jobs.delete(job.id);
      if (isSilent) this.#toSilent -= 1;
      for (const state of states) state.running -= 1;
      if (answered) this.#silent.delete(host);
      else this.#silent.set(host, true);
    };
  }
}
