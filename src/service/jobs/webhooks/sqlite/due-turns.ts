import type { Database } from '../../../../../lib/database/sqlite/driver.js';
import type { JobRow } from '../../job-row.js';
import { webhookHost } from '../../sqlite/jobs-schema.js';
import { maxPerAccount, maxPerHost } from '../turns.js';

/** Jobs that one look reads, and hosts of an account that it goes through; the next look goes on behind them. */
const maxJobs = 512;
const maxHosts = 50;

/** What follows a name in turn, the first after the last: `next` gives the one behind a name. */
function* inTurn(after: string, next: (after: string) => string | null): Generator<string> {
  let at = next(after) ?? next('');
  const first = at;
  while (at !== null) {
    yield at;
    at = next(at) ?? next('');
    if (at === first) return;
  }
}

/**
 * Chooses among the deliveries that are due: some of each account, some of each host. Each look begins behind the account,
 * and in it behind the host, where the last one ended. What one of them has piled up is not even read.
 */
export class DueTurns {
  readonly #nextAccount;
  readonly #nextHost;
  readonly #ofHost;
  #account = '';
  /** Of accounts with more hosts than a look goes through, the last one. */
  readonly #hosts = new Map<string, string>();

  constructor(db: Database) {
    this.#nextAccount = db
      .prepare<[string], string | null>(
        'SELECT min(account) FROM jobs WHERE webhook_due IS NOT NULL AND account > ?',
      )
      .pluck();
    this.#nextHost = db
      .prepare<[string, string], string | null>(
        `SELECT min(${webhookHost}) FROM jobs WHERE webhook_due IS NOT NULL AND account = ? AND ${webhookHost} > ?`,
      )
      .pluck();
    this.#ofHost = db.prepare<[string, string, number, number], JobRow>(
      `SELECT * FROM jobs WHERE webhook_due IS NOT NULL AND account = ? AND ${webhookHost} = ? AND webhook_due <= ?
       ORDER BY webhook_due LIMIT ?`,
    );
  }

  /** Jobs whose delivery is due at `now`, those of one host by the time that they have waited. */
  next(now: number): readonly JobRow[] {
    const due: JobRow[] = [];
    for (const account of inTurn(this.#account, (after) => this.#nextAccount.get(after) ?? null)) {
      due.push(...this.#ofAccount(account, now));
      this.#account = account;
      if (due.length >= maxJobs) break;
    }
    return due;
  }

  #ofAccount(account: string, now: number): readonly JobRow[] {
    const due: JobRow[] = [];
    const after = this.#hosts.get(account) ?? '';
    this.#hosts.delete(account);
    let looked = 0;
    for (const host of inTurn(after, (behind) => this.#nextHost.get(account, behind) ?? null)) {
      due.push(...this.#ofHost.all(account, host, now, maxPerHost));
      looked += 1;
      if (due.length < 2 * maxPerAccount && looked < maxHosts) continue;
      this.#hosts.set(account, host);
      return due;
    }
    return due;
  }
}
