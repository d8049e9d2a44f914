import type { Database } from '../../../lib/database/database.js';
import type { Queries } from '../../../lib/database/queries.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import type { Act, AuditEntry, AuditLog, AuditQuery, Operator } from './audit-log.js';
import { type AuditRow, auditColumns, digestOfAct, toEntry } from './audit-row.js';
import { actsAfter, chainHead, checkChain } from './check-chain.js';

/** The operator behind a server: its pages are open to nobody else. */
export const serverOperator: Operator = { via: 'server', login: null };

/** Appends an act inside a transaction, as its last statements: others that append wait for its end. */
export async function appendAct(
  queries: Queries,
  { act, subject = null, details = {} }: Act,
  { via, login }: Operator,
  now: number,
): Promise<void> {
  // Two servers append one after the other: the second reads the end that the first wrote.
  await queries.lockTable('audit_heads');
  const head = await chainHead(queries);
  const number = head.acts + 1;
  const entry = { number, at: new Date(now).toISOString(), via, login, act, subject, details };
  const digest = digestOfAct(head.digest, entry);
  await queries.run(`INSERT INTO audit_acts (${auditColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, [
    number,
    now,
    via,
    login,
    act,
    subject,
    JSON.stringify(details),
    digest,
  ]);
  await queries.run(
    `INSERT INTO audit_heads (chain, acts, digest) VALUES ('acts', $1, $2)
     ON CONFLICT (chain) DO UPDATE SET acts = excluded.acts, digest = excluded.digest`,
    [number, digest],
  );
}

/** The log of the operators' acts in a database. */
export class AuditStore implements AuditLog {
  readonly operator: Operator;
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock, operator: Operator) {
    this.operator = operator;
    this.#database = database;
    this.#clock = clock;
  }

  append(queries: Queries, act: Act): Promise<void> {
    return appendAct(queries, act, this.operator, this.#clock.now());
  }

  note(act: Act): Promise<void> {
    return this.#database.transaction((queries) => this.append(queries, act));
  }

  list({ from, to, act, limit }: AuditQuery): Promise<readonly AuditEntry[]> {
    return this.#database.read(async (queries) => {
      const rows = await queries.rows<AuditRow>(
        `SELECT ${auditColumns} FROM audit_acts
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

  find(number: number): Promise<AuditEntry | null> {
    return this.#database.read(async (queries) => {
      const row = await queries.first<AuditRow>(`SELECT ${auditColumns} FROM audit_acts WHERE number = $1`, [
        number,
      ]);
      return row === undefined ? null : toEntry(row);
    });
  }

  async *entries(): AsyncGenerator<AuditEntry> {
    let last = 0;
    for (;;) {
      const page = await this.#database.read((queries) => actsAfter(queries, last));
      if (page.length === 0) return;
      yield* page;
      last = page.at(-1)?.number ?? last;
    }
  }

  check(): Promise<string | null> {
    return this.#database.read(checkChain);
  }
}

const endOfTime = Number.MAX_SAFE_INTEGER;
