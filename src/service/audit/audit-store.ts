import { createHash } from 'node:crypto';
import type { Database } from '../../../lib/database/database.js';
import type { Queries } from '../../../lib/database/queries.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import type { Act, AuditEntry, AuditQuery, Operator } from './audit-log.js';

/** The operator of a server; only they can reach its admin pages. */
export const serverOperator: Operator = { via: 'server', login: null };

/** Acts per read. */
const pageSize = 500;
const columns = 'number, at, via, login, act, subject, details, digest';

/** The time in milliseconds since 1970, the details as JSON. */
type AuditRow = Omit<AuditEntry, 'at' | 'details'> & { readonly at: number; readonly details: string };

const toEntry = ({ at, details, ...row }: AuditRow): AuditEntry => ({
  ...{ number: row.number, at: new Date(at).toISOString(), via: row.via, login: row.login, act: row.act },
  ...{ subject: row.subject, details: JSON.parse(details), digest: row.digest },
});

/** Appends an act inside a transaction, as its last statements, because other appends wait for the commit. */
export async function appendAct(
  queries: Queries,
  { act, subject = null, details = {} }: Act,
  { via, login }: Operator,
  now: number,
): Promise<void> {
  // Servers append one after the other, each reading the last act that the previous one wrote.
  await queries.lockTable('audit_acts');
  const last = await queries.first<Pick<AuditRow, 'number' | 'digest'>>(
    'SELECT number, digest FROM audit_acts ORDER BY number DESC LIMIT 1',
  );
  const { number: before, digest: digestBefore } = last ?? { number: 0, digest: '0'.repeat(64) };
  const number = before + 1;
  const entry = [number, new Date(now).toISOString(), via, login, act, subject, details];
  const digest = createHash('sha256')
    .update(JSON.stringify([digestBefore, ...entry]))
    .digest('hex');
  await queries.run(`INSERT INTO audit_acts (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, [
    ...[number, now, via, login, act, subject, JSON.stringify(details), digest],
  ]);
}

/**
 * The log of operators' acts, append-only. Each act contains the digest of the previous one, even if several servers
 * append at once.
 */
export class AuditStore {
  readonly operator: Operator;
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock, operator: Operator) {
    this.operator = operator;
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Appends an act to the transaction that it describes, as its last statements, because other appends wait for the
   * commit.
   */
  append(queries: Queries, act: Act): Promise<void> {
    return appendAct(queries, act, this.operator, this.#clock.now());
  }

  /** Appends an act in its own transaction. Resolves once it is on disk. */
  note(act: Act): Promise<void> {
    return this.#database.transaction((queries) => this.append(queries, act));
  }

  /** Returns acts, newest first. */
  list({ from, to, act, limit }: AuditQuery): Promise<readonly AuditEntry[]> {
    return this.#database.read(async (queries) => {
      const rows = await queries.rows<AuditRow>(
        `SELECT ${columns} FROM audit_acts
         WHERE at >= $1 AND at < $2 AND (act = $3 OR $3 IS NULL) ORDER BY number DESC LIMIT $4`,
        [
          from === undefined ? 0 : Date.parse(from),
          to === undefined ? endOfTime : Date.parse(to),
          act ?? null,
          limit,
        ],
      );
      return rows.map(toEntry);
    });
  }

  /** Yields all acts in order, read in batches. */
  async *entries(): AsyncGenerator<AuditEntry> {
    let last = 0;
    for (;;) {
      const page = await this.#database.read((queries) =>
        queries.rows<AuditRow>(
          `SELECT ${columns} FROM audit_acts WHERE number > $1 ORDER BY number LIMIT $2`,
          [last, pageSize],
        ),
      );
      yield* page.map(toEntry);
      if (page.length < pageSize) return;
      last = page.at(-1)?.number ?? last;
    }
  }
}

const endOfTime = Number.MAX_SAFE_INTEGER;
