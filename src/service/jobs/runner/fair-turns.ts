/** Somebody with work that can be begun piece by piece. */
export interface Worker {
  readonly account: string;
  /** Pieces under way. */
  readonly running: number;
  /** True when another piece can be begun now. */
  readonly ready: boolean;
}

interface Turn {
  last: number;
}

interface Member<W> extends Turn {
  readonly worker: W;
}

interface Group<W> extends Turn {
  readonly members: Member<W>[];
}

/**
 * Chooses whose turn it is: first between accounts, then between the jobs of the account. The fewest pieces under way
 * go first, then the longest wait. Ten thousand inputs then do not keep three others waiting.
 */
export class FairTurns<W extends Worker> {
  readonly #groups = new Map<string, Group<W>>();
  #turns = 0;

  add(worker: W): void {
    const group = this.#groups.get(worker.account) ?? { last: 0, members: [] };
    this.#groups.set(worker.account, group);
    group.members.push({ worker, last: 0 });
  }

  remove(worker: W): void {
    const group = this.#groups.get(worker.account);
    if (group === undefined) return;
    const at = group.members.findIndex((member) => member.worker === worker);
    if (at >= 0) group.members.splice(at, 1);
    if (group.members.length === 0) this.#groups.delete(worker.account);
  }

  /** The one to begin a piece, or null when nobody is ready whose account has fewer than `max` under way. */
  next(max: number): W | null {
    let group: Group<W> | undefined;
    let fewest = max;
    for (const one of this.#groups.values()) {
      if (!one.members.some(({ worker }) => worker.ready)) continue;
      const running = one.members.reduce((sum, { worker }) => sum + worker.running, 0);
      if (running < fewest || (running === fewest && group !== undefined && one.last < group.last)) {
        group = one;
        fewest = running;
      }
    }
    if (group === undefined) return null;
    let member: Member<W> | undefined;
    for (const one of group.members) {
      if (!one.worker.ready) continue;
      const before =
        member === undefined ||
        one.worker.running < member.worker.running ||
        (one.worker.running === member.worker.running && one.last < member.last);
      if (before) member = one;
    }
    if (member === undefined) return null;
    this.#turns += 1;
    group.last = this.#turns;
    member.last = this.#turns;
    return member.worker;
  }
}
