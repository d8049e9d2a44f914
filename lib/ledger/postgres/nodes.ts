import type { Postgres } from '../../database/postgres/postgres.js';
import type { Queries } from '../../database/queries.js';
import { type Clock, elapsed } from '../../runtime/clock.js';
import { PeriodicTask } from '../../runtime/periodic-task.js';
import { failCalls } from '../entries.js';
import { giveBackUnheard } from './unheard-commits.js';

/** Milliseconds between the signs of life of a node. */
const beatMs = 5_000;
/** Milliseconds without a sign after which a node's open calls are given back. */
const silenceMs = 30_000;
/** A node that has not shown life for so long does it before it begins further calls. */
const staleMs = silenceMs / 2;
/** Calls that are given back in one transaction. */
const maxGroup = 500;

/** Processes that charge calls: those that show life, and calls of others that are to be given back. */
export interface NodeCounts {
  readonly alive: number;
  /** Calls of nodes that are silent. A node that lives gives them back within half a minute. */
  readonly abandoned: number;
}

/** Counts the nodes of a database. */
export async function countNodes(queries: Queries): Promise<NodeCounts> {
  const counts = await queries.first<NodeCounts>(
    `WITH live AS (SELECT id FROM nodes WHERE seen_at > clock_timestamp() - $1 * interval '1 millisecond')
     SELECT (SELECT count(*) FROM live) AS alive,
       (SELECT count(*) FROM usage WHERE status = 'pending' AND job_id IS NULL
          AND NOT EXISTS (SELECT FROM live WHERE live.id = usage.owner)) AS abandoned`,
    [silenceMs],
  );
  return counts as NodeCounts;
}

/**
 * The nodes of a database: the processes that charge calls. Each shows life, and gives back what others left open that do so
 * no longer. Rows of jobs are left alone: a job goes on at another node. How long a node is silent is measured by the
 * database's clock alone.
 */
export class Nodes {
  readonly #postgres: Postgres;
  readonly #clock: Clock;
  readonly #id: string;
  #beatAt = Number.NEGATIVE_INFINITY;
  /** Since when this node's own signs have come through without a gap. */
  #since: number | undefined;
  readonly #signs: PeriodicTask;
  #beating: Promise<void> | undefined;

  constructor(postgres: Postgres, clock: Clock, id: string) {
    this.#postgres = postgres;
    this.#clock = clock;
    this.#id = id;
    this.#signs = new PeriodicTask(clock, beatMs, () => this.#turn(), false);
  }

  /** Resolves when the database knows that this node lives: what it begins now is not taken for left behind. */
  async register(): Promise<void> {
    if (elapsed(this.#clock) - this.#beatAt < staleMs) return;
    await this.heartbeat();
    this.#signs.arm();
  }

  /** Writes a sign of life now; resolves when it is on the disk. */
  async heartbeat(): Promise<void> {
    this.#beating ??= this.#beat().finally(() => {
      this.#beating = undefined;
    });
    await this.#beating;
  }

  /** Gives back what nodes left open, or did not hear of, that are silent; resolves with the number of those calls. */
  async refundOrphans(): Promise<number> {
    let refunds = 0;
    for (;;) {
      const some = await this.#giveSomeBack();
      refunds += some;
      if (some < maxGroup) break;
    }
    for (;;) {
      const { calls, isAll } = await this.#postgres.transaction((queries) =>
        giveBackUnheard(queries, silenceMs, this.#clock.now()),
      );
      refunds += calls;
      if (isAll) return refunds;
    }
  }

  /** Ends the signs of life: what this node has left open is left behind. */
  async close(): Promise<void> {
    await this.#signs.stop();
    await this.#beating?.catch(() => undefined);
    if (this.#beatAt === Number.NEGATIVE_INFINITY) return;
    // A database that is gone takes it for silent soon enough.
    const leave = 'DELETE FROM nodes WHERE id = $1';
    await this.#postgres.write((queries) => queries.run(leave, [this.#id])).catch(() => undefined);
  }

  async #turn(): Promise<void> {
    try {
      await this.heartbeat();
      // While the database could not be reached nobody could show life: others get the time to do it first.
      if (this.#since !== undefined && elapsed(this.#clock) - this.#since >= silenceMs)
        await this.refundOrphans();
    } catch {
      // Calls report what is wrong with the database; the next turn comes.
    }
  }

  async #beat(): Promise<void> {
    const began = elapsed(this.#clock);
    const sign = `INSERT INTO nodes (id, seen_at) VALUES ($1, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`;
    try {
      await this.#postgres.write((queries) => queries.run(sign, [this.#id]));
    } catch (fault) {
      this.#since = undefined;
      throw fault;
    }
    if (began - this.#beatAt > silenceMs) this.#since = undefined;
    this.#since ??= began;
    this.#beatAt = began;
  }

  #giveSomeBack(): Promise<number> {
    return this.#postgres.transaction(async (queries) => {
      const orphans = await queries.rows<{ readonly id: string }>(
        `SELECT id FROM usage WHERE status = 'pending' AND job_id IS NULL AND NOT EXISTS (
           SELECT FROM nodes WHERE nodes.id = usage.owner AND seen_at > clock_timestamp() - $1 * interval '1 millisecond'
         ) ORDER BY id LIMIT $2`,
        [silenceMs, maxGroup],
      );
      if (orphans.length > 0) {
        await failCalls(
          queries,
          orphans.map(({ id }) => id),
          this.#clock.now(),
        );
      }
      await queries.run(
        `DELETE FROM nodes WHERE seen_at < now() - interval '1 day'
           AND NOT EXISTS (SELECT FROM usage WHERE usage.owner = nodes.id AND status = 'pending' AND job_id IS NULL)`,
      );
      return orphans.length;
    });
  }
}
