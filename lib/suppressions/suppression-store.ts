import type { Database } from '../database/database.js';
import type { Queries } from '../database/queries.js';
import type { Platform } from '../platforms.js';
import type { Clock } from '../runtime/clock.js';
import type { Subject } from './subject.js';
import type { Suppression, Suppressions } from './suppressions.js';

interface Row {
  readonly platform: Platform;
  readonly subject: string;
  readonly added_at: number;
}

/** The newest by time and name: if the clock was set back, a removed entry may have had the time of the next one. */
const selectMark = {
  name: 'mark_suppressions',
  text: `SELECT count(*) AS count, min(added_at) AS oldest, max(added_at) AS newest,
    max(added_at || ' ' || platform || ' ' || subject) AS last FROM suppressions`,
};

/** Called in the transaction of a change, as its last statements. */
type OnChange = (queries: Queries, change: 'add' | 'remove', subject: Subject) => Promise<void>;

/** The `Suppressions` of a data directory or a database. */
export class SuppressionStore implements Suppressions {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #onChange: OnChange | undefined;

  constructor(database: Database, clock: Clock, onChange?: OnChange) {
    this.#database = database;
    this.#clock = clock;
    this.#onChange = onChange;
  }

  add(subject: Subject): Promise<boolean> {
    const { platform, key } = subject;
    return this.#database.transaction(async (queries) => {
      await queries.lockTable('suppressions');
      const newest = await queries.first<{ newest: number | null }>(
        'SELECT max(added_at) AS newest FROM suppressions',
      );
      // Later than every other entry, whatever the clock says, because the newest tells other processes that the list
      // has changed.
      const at = Math.max(this.#clock.now(), (newest?.newest ?? 0) + 1);
      const changedRows = await queries.run(
        'INSERT INTO suppressions (platform, subject, added_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [platform, key, at],
      );
      if (changedRows > 0) await this.#onChange?.(queries, 'add', subject);
      return changedRows > 0;
    });
  }

  remove(subject: Subject): Promise<boolean> {
    const { platform, key } = subject;
    return this.#database.transaction(async (queries) => {
      const changedRows = await queries.run('DELETE FROM suppressions WHERE platform = $1 AND subject = $2', [
        platform,
        key,
      ]);
      if (changedRows > 0) await this.#onChange?.(queries, 'remove', subject);
      return changedRows > 0;
    });
  }

  async list(): Promise<readonly Suppression[]> {
    const rows = await this.#database.read((queries) =>
      queries.rows<Row>('SELECT platform, subject, added_at FROM suppressions ORDER BY platform, subject'),
    );
    return rows.map(({ platform, subject: key, added_at: addedAt }) => ({ platform, key, addedAt }));
  }

  async mark(): Promise<string | null> {
    const row = await this.#database.read((queries) =>
      queries.first<{ count: number; oldest: number | null; newest: number | null; last: string | null }>(
        selectMark,
      ),
    );
    return row === undefined || row.count === 0
      ? null
      : `${row.count} ${row.oldest} ${row.newest} ${row.last}`;
  }
}
