import type { Postgres } from '../../database/postgres/postgres.js';
import type { Queries } from '../../database/queries.js';
import { type Clock, elapsed } from '../../runtime/clock.js';
import { PeriodicTask } from '../../runtime/periodic-task.js';
import { failCalls } from '../entries.js';
import { refundUnacknowledged } from './unheard-commits.js';

/** Milliseconds between a node's heartbeats. */
const beatMs = 5_000;
/** Milliseconds without a heartbeat after which a node's open calls are refunded. */
const silenceMs = 30_000;
/** A node whose last heartbeat is older sends one before it starts further calls. */
const staleMs = silenceMs / 2;
/** Calls refunded per transaction. */
const maxGroup = 500;

/** Nodes with a current heartbeat, and open calls of the others. */
export interface NodeCounts {
  readonly alive: number;
  /** Open calls of silent nodes. A running node refunds them within half a minute. */
  readonly abandoned: number;
}

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
 * The processes that charge calls. Each sends heartbeats and refunds the open calls of silent nodes. Rows of jobs stay,
 * because a job continues on another node. Silence is measured by the database's clock alone.
 */
export type Nodes = ReturnType<typeof createNodes>;

export function createNodes(postgres: Postgres, clock: Clock, id: string) {
  let beatAt = Number.NEGATIVE_INFINITY;
  /** Since when this node's heartbeats have succeeded without a gap. */
  let since: number | undefined;
  let beating: Promise<void> | undefined;
  const signs = new PeriodicTask(clock, beatMs, () => turn(), false);

  /** Resolves once the database knows that this node is running, so that its calls do not count as abandoned. */
  async function register(): Promise<void> {
    if (elapsed(clock) - beatAt < staleMs) return;
    await heartbeat();
    signs.arm();
  }

  /** Sends a heartbeat; resolves once it is on disk. */
  async function heartbeat(): Promise<void> {
    beating ??= beat().finally(() => {
      beating = undefined;
    });
    await beating;
  }

  /**
   * Refunds calls that silent nodes left open, or whose commit they never acknowledged. Returns the number of calls.
   */
  async function refundOrphans(): Promise<number> {
    let refunds = 0;
    for (;;) {
      const some = await refundSome();
      refunds += some;
      if (some < maxGroup) break;
    }
    for (;;) {
      const { calls, isAll } = await postgres.transaction((queries) =>
        refundUnacknowledged(queries, silenceMs, clock.now()),
      );
      refunds += calls;
      if (isAll) return refunds;
    }
  }

  /** Stops the heartbeats. Calls that this node left open then count as abandoned. */
  async function close(): Promise<void> {
    await signs.stop();
    await beating?.catch(() => undefined);
    if (beatAt === Number.NEGATIVE_INFINITY) return;
    // If the database is unreachable, it will soon consider this node silent anyway.
    const leave = 'DELETE FROM nodes WHERE id = $1';
    await postgres.write((queries) => queries.run(leave, [id])).catch(() => undefined);
  }

  async function turn(): Promise<void> {
    try {
      await heartbeat();
      // While the database was unreachable, no node could send a heartbeat. Gives the others time to do so.
      if (since !== undefined && elapsed(clock) - since >= silenceMs) await refundOrphans();
    } catch {
      // Calls report problems with the database. The next run tries again.
    }
  }

  async function beat(): Promise<void> {
    const began = elapsed(clock);
    const sign = `INSERT INTO nodes (id, seen_at) VALUES ($1, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`;
    try {
      await postgres.write((queries) => queries.run(sign, [id]));
    } catch (fault) {
      since = undefined;
      throw fault;
    }
    if (began - beatAt > silenceMs) since = undefined;
    since ??= began;
    beatAt = began;
  }

  const refundSome = (): Promise<number> =>
    postgres.transaction(async (queries) => {
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
          clock.now(),
        );
      }
      await queries.run(
        `DELETE FROM nodes WHERE seen_at < now() - interval '1 day'
           AND NOT EXISTS (SELECT FROM usage WHERE usage.owner = nodes.id AND status = 'pending' AND job_id IS NULL)`,
      );
      return orphans.length;
    });

  return { register, heartbeat, refundOrphans, close };
}
