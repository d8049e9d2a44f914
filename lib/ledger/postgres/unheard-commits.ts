import type { Postgres } from '../../database/postgres/postgres.js';
import type { Queries } from '../../database/queries.js';
import { type Clock, elapsed } from '../../runtime/clock.js';
import { PeriodicTask } from '../../runtime/periodic-task.js';
import { refund } from '../postings.js';
import { loadUnit, storeUnit } from '../unit-store.js';

/*
 * A charge is reported only after the database has recorded that it will be. Each commit that charges calls leaves a
 * row with its node and the calls, which does not yet allow an answer. The node acknowledges the commit by deleting
 * that row, without waiting for the disk, and then notifies the callers. A commit whose row remains although its node
 * no longer works on it is refunded: by the node itself, or by others once that node is silent. So it does not matter
 * which process restarted, or how late a statement ran whose caller had already received an error.
 */

/** Milliseconds between checks for late commits, and between checks after a commit was lost. */
const [pollMs, soonMs] = [5_000, 1_000];
/** Milliseconds after which an acknowledgement no longer counts, because its caller has stopped waiting. */
const heardWithinMs = 15_000;
/** Commits refunded per transaction. */
const maxCommits = 50;

interface Commit {
  readonly node: string;
  readonly number: number;
  readonly calls: readonly string[];
}

/** Records, in its own transaction, that a commit charges calls. */
export async function noteCommit(queries: Queries, { node, number, calls }: Commit): Promise<void> {
  const text = 'INSERT INTO unheard_commits (node, number, calls) VALUES ($1, $2, $3)';
  await queries.run({ name: 'ledger_note_commit', text }, [node, number, calls]);
}

/** Refunds the calls of commits and deletes the commits' rows, in the transaction that holds them. */
async function refundUnheard(queries: Queries, commits: readonly Commit[], now: number): Promise<void> {
  const ids = [...new Set(commits.flatMap(({ calls }) => calls))];
  const unit = await loadUnit(queries, { ids }, now);
  for (const id of ids) if (unit.row(id) !== undefined) refund(unit, id);
  await storeUnit(queries, unit);
  await forget(queries, commits);
}

async function forget(queries: Queries, commits: readonly Commit[]): Promise<void> {
  const text = `DELETE FROM unheard_commits USING unnest($1::text[], $2::bigint[]) AS told (node, number)
    WHERE unheard_commits.node = told.node AND unheard_commits.number = told.number`;
  await queries.run(text, [commits.map(({ node }) => node), commits.map(({ number }) => number)]);
}

/**
 * Refunds calls of unacknowledged commits whose nodes have been silent for `silenceMs`. Returns the number of calls. If
 * the database has restarted since, it may have lost acknowledgements that were not on disk yet; such calls stay
 * charged, because their answers were sent or cut off by a crash.
 */
export async function refundUnacknowledged(
  queries: Queries,
  silenceMs: number,
  now: number,
): Promise<{ readonly calls: number; readonly isAll: boolean }> {
  const leftovers = await queries.rows<Commit & { readonly crashed: boolean }>(
    `SELECT node, number, calls, made_at < pg_postmaster_start_time() AS crashed FROM unheard_commits
     WHERE NOT EXISTS (
       SELECT FROM nodes WHERE nodes.id = node AND seen_at > clock_timestamp() - $1 * interval '1 millisecond'
     ) ORDER BY node, number LIMIT $2 FOR UPDATE OF unheard_commits SKIP LOCKED`,
    [silenceMs, maxCommits],
  );
  if (leftovers.length === 0) return { calls: 0, isAll: true };
  const unheard = leftovers.filter(({ crashed }) => !crashed);
  if (unheard.length > 0) await refundUnheard(queries, unheard, now);
  await forget(queries, leftovers);
  const calls = unheard.reduce((sum, one) => sum + one.calls.length, 0);
  return { calls, isAll: leftovers.length < maxCommits };
}

/** The commits of a node. Each is either acknowledged or refunded. */
export class UnheardCommits {
  readonly #postgres: Postgres;
  readonly #clock: Clock;
  readonly #node: string;
  #last = 0;
  /** Commits in progress. */
  readonly #open = new Set<number>();
  /** Commits whose callers received an error, with the charged calls if the commit is known to have succeeded. */
  readonly #lost = new Map<number, readonly string[] | null>();
  #lostAt = Number.NEGATIVE_INFINITY;
  readonly #checks: PeriodicTask;

  constructor(postgres: Postgres, clock: Clock, node: string) {
    this.#postgres = postgres;
    this.#clock = clock;
    this.#node = node;
    this.#checks = new PeriodicTask(clock, pollMs, () => this.#turn(), false);
  }

  /** Starts a commit and returns its number. */
  begin(): number {
    this.#last += 1;
    this.#open.add(this.#last);
    this.#checks.arm();
    return this.#last;
  }

  /** Records that a commit changed nothing. */
  forget(number: number): void {
    this.#open.delete(number);
  }

  /**
   * Records that the callers of a commit received an error, whatever became of it. `calls` are the charged calls, if it
   * is known to have succeeded.
   */
  lose(number: number, calls: readonly string[] | null): void {
    this.#open.delete(number);
    this.#lost.set(number, calls);
    this.#lostAt = elapsed(this.#clock);
    void this.#checks.run();
  }

  /**
   * Acknowledges a commit before its callers are notified. Resolves with false if they must not be, because another
   * process has refunded it. A caller that receives an error loses its charge.
   */
  async hear(queries: Queries, number: number): Promise<boolean> {
    const text = `DELETE FROM unheard_commits
      WHERE node = $1 AND number = $2 AND made_at > clock_timestamp() - ${heardWithinMs} * interval '1 millisecond'
        AND set_config('synchronous_commit', 'off', true) = 'off'`;
    const changes = await queries.run({ name: 'ledger_hear_commit', text }, [this.#node, number]);
    if (changes === 1) this.#open.delete(number);
    return changes === 1;
  }

  /** Stops the checks after a final one. */
  async close(): Promise<void> {
    await this.#checks.stop();
    if (this.#last > 0) await this.#check().catch(() => undefined);
  }

  async #turn(): Promise<number> {
    // A refund that the database refuses now is retried later.
    await this.#check().catch(() => undefined);
    return elapsed(this.#clock) - this.#lostAt < 6 * pollMs ? soonMs : pollMs;
  }

  async #check(): Promise<void> {
    // A commit that starts while the transaction waits is not in this snapshot and is not checked.
    const [open, last] = [[...this.#open], this.#last];
    const commits = [...this.#lost].flatMap(([number, calls]) => (calls === null ? [] : { number, calls }));
    const refunds = await this.#postgres.transaction(async (queries) => {
      const unheard = await queries.rows<Commit>(
        `SELECT node, number, calls FROM unheard_commits WHERE node = $1 AND number <= $2 AND number <> ALL ($3)
         ORDER BY number LIMIT $4 FOR UPDATE SKIP LOCKED`,
        [this.#node, last, open, maxCommits],
      );
      const committed = commits.slice(0, maxCommits).map((one) => ({ node: this.#node, ...one }));
      const lostCommits = [...unheard.filter(({ number }) => this.#lost.has(number)), ...committed];
      if (lostCommits.length > 0) await refundUnheard(queries, lostCommits, this.#clock.now());
      // The others were acknowledged, but the database crashed and lost that.
      if (unheard.length > 0) await forget(queries, unheard);
      return lostCommits;
    });
    for (const { number } of refunds) this.#lost.delete(number);
  }
}
