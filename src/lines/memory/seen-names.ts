import type { Database } from '../../../lib/database/database.js';
import type { Queries } from '../../../lib/database/queries.js';
import { type ExtractError, invalidParameter } from '../../../lib/errors/extract-error.js';
import { isoTime } from '../../../lib/read/iso-time.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { DatabaseMemory, endScope, isEnded } from './database-memory.js';
import { scopeOf } from './memory-rows.js';
import type { Observation } from './observation.js';
import type { SeenObservation } from './seen.js';
import { type SeenBounds, seenBounds, trimScope } from './trim.js';

interface SeenSizes {
  readonly lists: number;
  readonly objects: number;
  readonly items: number;
}

export interface SeenName extends SeenSizes {
  readonly name: string;
  /** ISO 8601 UTC, by this machine's clock. */
  readonly created_at: string;
  readonly last_run_at: string;
}

function unknownName(name: string): ExtractError {
  return invalidParameter(
    `Nothing is remembered under ${JSON.stringify(name)}. \`extract history new list\` shows the names.`,
  );
}

const sizesBy = (by: string, rest: string) => `
  SELECT ${by}, count(*) - coalesce(sum(a.own), 0) AS lists, coalesce(sum(a.own), 0) AS objects,
    coalesce(sum(a.count), 0) - coalesce(sum(a.own), 0) AS items
  FROM history_subjects s
  LEFT JOIN (
    SELECT a.scope, a.subject, sum(CASE WHEN a.removed_at IS NULL THEN 1 ELSE 0 END) AS count,
      max(CASE WHEN o.key = q.question THEN 1 ELSE 0 END) AS own
    FROM history_appearances a
    JOIN history_objects o ON o.scope = a.scope AND o.number = a.object
    JOIN history_subjects q ON q.scope = a.scope AND q.number = a.subject
    GROUP BY a.scope, a.subject) a ON a.scope = s.scope AND a.subject = s.number
  ${rest}`;

/** The memory of the names of `--new`, one scope each. */
export class SeenNames {
  readonly #database: Database;
  readonly #memory: DatabaseMemory;
  readonly #bounds: SeenBounds;

  constructor(database: Database, clock: Clock, bounds: Partial<SeenBounds> = {}) {
    this.#database = database;
    this.#memory = new DatabaseMemory(database, clock);
    this.#bounds = { ...seenBounds, ...bounds };
  }

  lookUp(name: string, observation: Observation) {
    return this.#memory.lookUp(name, observation);
  }

  async remember(name: string, observations: readonly SeenObservation[]): Promise<void> {
    if (observations.length > 0) await this.#memory.remember(name, observations, this.#bounds.itemsOfList);
  }

  hasName(name: string): Promise<boolean> {
    return this.#database.read(async (queries) => (await scopeOf(queries, name)) !== undefined);
  }

  listNames(): Promise<readonly SeenName[]> {
    return this.#database.read(async (queries) => {
      const names = await queries.rows<{ name: string; first_at: number; last_at: number; scope: number }>(
        `SELECT c.name, c.scope, min(r.first_at) AS first_at, max(r.last_at) AS last_at FROM history_scopes c
         JOIN history_runs r ON r.scope = c.scope WHERE NOT (${isEnded}) GROUP BY c.name, c.scope ORDER BY c.name`,
      );
      const sizes = await queries.rows<SeenSizes & { readonly scope: number }>(
        sizesBy('s.scope', 'GROUP BY s.scope'),
      );
      const byScope = new Map(sizes.map(({ scope, ...size }) => [scope, size]));
      return names.map(({ name, scope, first_at, last_at }) => ({
        ...{ name, ...(byScope.get(scope) ?? { lists: 0, objects: 0, items: 0 }) },
        ...{ created_at: isoTime(first_at), last_run_at: isoTime(last_at) },
      }));
    });
  }

  /** Returns the memory under a name, by endpoint. Rejects `invalid_parameter` for an unknown name. */
  listEndpoints(name: string): Promise<readonly (SeenSizes & { readonly endpoint: string })[]> {
    return this.#database.read(async (queries) =>
      queries.rows(sizesBy('s.endpoint', 'WHERE s.scope = $1 GROUP BY s.endpoint ORDER BY s.endpoint'), [
        await this.#scope(queries, name),
      ]),
    );
  }

  /** Forgets a name. Rejects `invalid_parameter` for an unknown one. */
  async forget(name: string): Promise<void> {
    await this.#database.transaction(async (queries) => {
      await this.#scope(queries, name);
      await endScope(queries, name);
    });
    await this.#memory.removeEnded();
  }

  /** Trims a name, and the number of names, to the limits. Call it when a run ends. */
  async trim(name: string): Promise<void> {
    await this.#database.transaction(async (queries) => {
      const scope = await scopeOf(queries, name);
      if (scope !== undefined) await trimScope(queries, scope, this.#bounds);
      const idle = await queries.rows<{ readonly name: string }>(
        `SELECT c.name FROM history_scopes c JOIN history_runs r ON r.scope = c.scope WHERE c.name <> $1 AND NOT (${isEnded})
         GROUP BY c.name ORDER BY max(r.last_at) DESC, c.name DESC LIMIT 1000000000 OFFSET $2`,
        [name, this.#bounds.names - 1],
      );
      for (const one of idle) await endScope(queries, one.name);
    });
    await this.#memory.removeEnded();
  }

  async #scope(queries: Queries, name: string): Promise<number> {
    const scope = await scopeOf(queries, name);
    if (scope === undefined) throw unknownName(name);
    return scope;
  }
}
