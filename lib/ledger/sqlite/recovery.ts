import type { Queries } from '../../database/queries.js';
import type { Database } from '../../database/sqlite/driver.js';
import { hasEnded, isRunning, type Owner, ownerFrom } from '../../runtime/process-owner.js';
import { failCalls } from '../entries.js';

interface PendingRow {
  readonly id: string;
  readonly charged_at: number;
  readonly owner: string | null;
}

/** Milliseconds after which a call that has not ended is given up when nobody can tell whether its process runs. */
export const maxCallMs = 15 * 60_000;

/**
 * Finds the calls that a killed process left behind and ends them as failed, with the price given back. Rows of jobs
 * are left alone: a job goes on after a restart, and its store ends them.
 */
export class Recovery {
  readonly #pending;
  readonly #self: Owner;

  constructor(db: Database, self: Owner) {
    this.#pending = db.prepare<[], PendingRow>(
      `SELECT id, charged_at, owner FROM usage WHERE status = 'pending' AND job_id IS NULL`,
    );
    this.#self = self;
  }

  /** Ids of calls that nobody will end. Reads only. */
  findAbandoned(now: number): string[] {
    const known = new Map<string, boolean | null>();
    const hasOwnerEnded = (text: string) => {
      let ended = known.get(text);
      if (ended === undefined) {
        const owner = ownerFrom(text);
        if (owner === null) ended = null;
        else if (hasEnded(owner, this.#self)) ended = true;
        else ended = isRunning(owner, this.#self) ? false : null;
        known.set(text, ended);
      }
      return ended;
    };
    // By its age alone no call is given up whose process is at work: the clock may have jumped.
    return this.#pending
      .all()
      .filter(({ charged_at, owner }) => hasOwnerEnded(owner ?? '') ?? now - charged_at >= maxCallMs)
      .map(({ id }) => id);
  }

  /** Ends them. To be run inside a write transaction, so that of several processes one does it. */
  recover(queries: Queries, now: number): Promise<void> {
    return failCalls(queries, this.findAbandoned(now), now);
  }
}
