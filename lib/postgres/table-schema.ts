/** The tables that a module keeps in a database; its SQL names no others. */
export interface PostgresSchema {
  readonly name: string;
  /**
   * SQL that makes the tables, step by step. A database has run the first so many; steps are only ever added. Each runs in a
   * transaction, beside servers of the version before: what they write must still be possible after it.
   */
  readonly steps: readonly string[];
}
