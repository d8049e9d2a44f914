import { LRUCache } from 'lru-cache';
import { minuteMs } from '../runtime/clock.js';
import type { Database } from './database.js';
import type { Dialect } from './dialect.js';

/** Maximum number of keys or links whose last written minute is remembered. */
const maxRemembered = 10_000;

/**
 * Records the last use of keys or links, to the minute. Written at most once a minute per process. No call waits for it or
 * fails because of it.
 */
export class LastUses {
  readonly #database: Database;
  readonly #statement: (dialect: Dialect) => string;
  readonly #written = new LRUCache<string, number>({ max: maxRemembered });

  /** `statement` writes the minute $2 of the thing with the ID $1. */
  constructor(database: Database, statement: (dialect: Dialect) => string) {
    this.#database = database;
    this.#statement = statement;
  }

  note(id: string, now: number): void {
    const minute = now - (now % minuteMs);
    if (this.#written.get(id) === minute) return;
    this.#written.set(id, minute);
    this.#database
      .write((queries) => queries.run(this.#statement(queries.dialect), [id, minute]))
      .catch(() => this.#written.delete(id));
  }
}
