import type { Postgres } from '../../database/postgres/postgres.js';
import type { Queries } from '../../database/queries.js';
import { type Clock, elapsed } from '../../runtime/clock.js';
import { PeriodicTask } from '../../runtime/periodic-task.js';
import { refund } from '../postings.js';
import { loadUnit, storeUnit } from '../unit-store.js';

/*
 * Nobody is told of a charge before the database knows that he will be. Each commit that charges calls leaves a row
 * that names its node and them, and is no answer yet. Its node hears of it and takes that row away, which is not
 * waited for on the disk. Then the callers are told. A commit whose row remains, and which its node no longer works
 * on, is refunded: by the node itself, or by others once that node is silent. So it does not matter who was
 * restarted, or how late a statement was carried out whose caller has long been told that it failed.
 */

/** Milliseconds between looks for what came late, and between those after a commit was lost. */
const [lookMs, soonMs] = [5_000, 1_000];
/** Milliseconds after which the word that a commit was heard of counts no more: its caller waits for no longer. */
const heardWithinMs = 15_000;
/** Commits that are given back in one transaction. */
const maxCommits = 50;

interface Commit {
  readonly node: string;
  readonly number: number;
  readonly calls: readonly string[];
}

/** Writes that a commit charges calls, in its transaction. */
export async function noteCommit(queries: Queries, { node, number, calls }: Commit): Promise<void> {
  const text = 'INSERT INTO unheard_commits (node, number, calls) VALUES ($1, $2, $3)';
  await queries.run({ name: 'ledger_note_commit', text }, [node, number, calls]);
}

/** Gives back what commits charged, and takes their rows away, in the transaction that holds these. */
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
 * Gives back what nodes did not hear of that are silent for `silenceMs`; resolves with the number of those calls. A database
 * that began again since may have lost their word, which stood on no disk: such calls stay charged, as their answers were
 * sent, or cut off by a crash.
 */
export async function giveBackUnheard(
  queries: Queries,
  silenceMs: number,
  now: number,
): Promise<{ readonly calls: number; readonly isAll: boolean }> {
  const left = await queries.rows<Commit & { readonly crashed: boolean }>(
    `SELECT node, number, calls, made_at < pg_postmaster_start_time() AS crashed FROM unheard_commits
     WHERE NOT EXISTS (
       SELECT FROM nodes WHERE nodes.id = node AND seen_at > clock_timestamp() - $1 * interval '1 millisecond'
     ) ORDER BY node, number LIMIT $2 FOR UPDATE OF unheard_commits SKIP LOCKED`,
    [silenceMs, maxCommits],
  );
  if (left.length === 0) return { calls: 0, isAll: true };
  const unheard = left.filter(({ crashed }) => !crashed);
  if (unheard.length > 0) await refundUnheard(queries, unheard, now);
  await forget(queries, left);
  const calls = unheard.reduce((sum, one) => sum + one.calls.length, 0);
  return { calls, isAll: left.length < maxCommits };
}

/** The commits of a node, each of which is heard of, or given back. */
export class UnheardCommits {
  readonly #postgres: Postgres;
  readonly #clock: Clock;
  readonly #node: string;
  #last = 0;
  /** Commits that are being made: whether they will be heard of is not known yet. */
  readonly #open = new Set<number>();
  /**
   * Commits whose callers were told that they failed. A commit that is known to be made holds the calls it charged.
   */
  readonly #lost = new Map<number, readonly string[] | null>();
  #lostAt = Number.NEGATIVE_INFINITY;
  readonly #looks: PeriodicTask;

  constructor(postgres: Postgres, clock: Clock, node: string) {
    this.#postgres = postgres;
    this.#clock = clock;
    this.#node = node;
    this.#looks = new PeriodicTask(clock, lookMs, () => this.#turn(), false);
  }

  /** The number of a commit that begins. */
  begin(): number {
    this.#last += 1;
    this.#open.add(this.#last);
    this.#looks.arm();
    return this.#last;
  }

  /** A commit changed nothing. */
  forget(number: number): void {
    this.#open.delete(number);
  }

  /**
   * The callers of a commit are told that it failed, whatever became of it. `calls` are those that it charged, where it is known
   * to be made.
   */
  lose(number: number, calls: readonly string[] | null): void {
    this.#open.delete(number);
    this.#lost.set(number, calls);
    this.#lostAt = elapsed(this.#clock);
    void this.#looks.run();
  }

  /**
   * Lets the database know that the callers of a commit hear of it now. Resolves with false where they must not:
   * others have given it back. A caller that is told of a fault loses its charge.
   */
  async hear(queries: Queries, number: number): Promise<boolean> {
    const text = `DELETE FROM unheard_commits
      WHERE node = $1 AND number = $2 AND made_at > clock_timestamp() - ${heardWithinMs} * interval '1 millisecond'
        AND set_config('synchronous_commit', 'off', true) = 'off'`;
    const heard = await queries.run({ name: 'ledger_hear_commit', text }, [this.#node, number]);
    if (heard === 1) this.#open.delete(number);
    return heard === 1;
  }

  /** Ends the looks, after a last one. */
  async close(): Promise<void> {
    await this.#looks.stop();
    if (this.#last > 0) await this.#look().catch(() => undefined);
  }

  async #turn(): Promise<number> {
    // A refund that the database refuses now is tried again later.
    await this.#look().catch(() => undefined);
    return elapsed(this.#clock) - this.#lostAt < 6 * lookMs ? soonMs : lookMs;
  }

  async #look(): Promise<void> {
    // A commit that begins while the transaction waits for its turn is not among the open ones, and is not looked at.
    const [open, last] = [[...this.#open], this.#last];
    const made = [...this.#lost].flatMap(([number, calls]) => (calls === null ? [] : { number, calls }));
    const given = await this.#postgres.transaction(async (queries) => {
      const found = await queries.rows<Commit>(
        `SELECT node, number, calls FROM unheard_commits WHERE node = $1 AND number <= $2 AND number <> ALL ($3)
         ORDER BY number LIMIT $4 FOR UPDATE SKIP LOCKED`,
        [this.#node, last, open, maxCommits],
      );
      const known = made.slice(0, maxCommits).map((one) => ({ node: this.#node, ...one }));
      const lost = [...found.filter(({ number }) => this.#lost.has(number)), ...known];
      if (lost.length > 0) await refundUnheard(queries, lost, this.#clock.now());
      // The others were heard of: a database that crashed has lost that word.
      if (found.length > 0) await forget(queries, found);
      return lost;
    });
    for (const { number } of given) this.#lost.delete(number);
  }
}
