import type { Queries } from '../../database/queries.js';
import type { Database } from '../../database/sqlite/driver.js';
import { hasEnded, isRunning, type Owner, ownerFrom } from '../../runtime/process-owner.js';
import { failCalls } from '../entries.js';

interface PendingRow {
  readonly id: string;
  readonly charged_at: number;
  readonly owner: string | null;
}

/** Milliseconds after which a pending call is abandoned if it is unknown whether its process is running. */
export const maxCallMs = 15 * 60_000;

/**
 * Finds the calls that a killed process left pending, and ends them as failed with a refund. Rows of jobs stay: a job
 * continues after a restart, and its store ends them.
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

  /** Returns the ids of abandoned calls. Only reads. */
  findAbandoned(now: number): string[] {
    const outcomes = new Map<string, boolean | null>();
    const hasOwnerEnded = (text: string) => {
      let outcome = outcomes.get(text);
      if (outcome === undefined) {
        const owner = ownerFrom(text);
        if (owner === null) outcome = null;
        else if (hasEnded(owner, this.#self)) outcome = true;
        else outcome = isRunning(owner, this.#self) ? false : null;
        outcomes.set(text, outcome);
      }
      return outcome;
    };
    // A call of a running process is never abandoned by age alone, because the clock may have jumped.
    return this.#pending
      .all()
      .filter(({ charged_at, owner }) => hasOwnerEnded(owner ?? '') ?? now - charged_at >= maxCallMs)
      .map(({ id }) => id);
  }

  /** Ends abandoned calls. Must run inside a write transaction, so that only one of several processes does it. */
  recover(queries: Queries, now: number): Promise<void> {
    return failCalls(queries, this.findAbandoned(now), now);
  }
}
