import { recordColumns } from '../../../lib/database/columns.js';
import type { Database } from '../../../lib/database/database.js';
import type { Queries } from '../../../lib/database/queries.js';
import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { NotedCalls, refusedPredicates } from './noted-calls.js';
import { maxRefusedCalls, type RefusedCall, type RefusedCalls, type RefusedQuery } from './refused-calls.js';
import { type RefusedRow, refusedColumns } from './refused-calls-schema.js';

const types = recordColumns(refusedColumns);
const columns = Object.keys(types).join(', ');

function refusedCallOf({ created_at, key_id, key_name, code, ...row }: RefusedRow): RefusedCall {
  return {
    ...row,
    created_at: new Date(created_at).toISOString(),
    code: code as ErrorCode,
    api_key: key_id === null ? null : { id: key_id, name: key_name ?? '' },
  };
}

/** Returns true if the database can store the call's texts. Other calls are dropped. */
const isStorable = ({ id, endpoint, api_key }: RefusedCall) =>
  ![id, endpoint, api_key?.id, api_key?.name].some((text) => text?.includes('\0'));

/**
 * Refused calls. A second's worth is written in one transaction, however many callers are refused. Other processes'
 * calls are visible once written.
 */
export class RefusedCallStore implements RefusedCalls {
  readonly #database: Database;
  readonly #noted: NotedCalls;
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#noted = new NotedCalls(clock, () => void this.flush());
  }

  note(call: RefusedCall): void {
    if (!isStorable(call)) return;
    this.#noted.add(call);
  }

  async list(account: string, query: RefusedQuery): Promise<readonly RefusedCall[]> {
    await this.flush();
    const predicates = refusedPredicates(account, query);
    const values = predicates.flatMap(([, ...some]) => some);
    let index = 0;
    const where = predicates.map(([one]) => one.replaceAll('?', () => `$${++index}`)).join(' AND ');
    // No text in the database contains this character.
    if (values.some((value) => typeof value === 'string' && value.includes('\0'))) return [];
    const text = `SELECT ${columns} FROM refused_calls WHERE ${where}
      ORDER BY created_at DESC, id DESC LIMIT ${Math.trunc(query.limit)}`;
    return (await this.#database.read((queries) => queries.rows<RefusedRow>(text, values))).map(
      refusedCallOf,
    );
  }

  async find(account: string, id: string): Promise<RefusedCall | null> {
    if (id.includes('\0')) return null;
    await this.flush();
    const text = `SELECT ${columns} FROM refused_calls WHERE account = $1 AND id = $2`;
    const row = await this.#database.read((queries) => queries.first<RefusedRow>(text, [account, id]));
    return row === undefined ? null : refusedCallOf(row);
  }

  async prune(before: number): Promise<void> {
    // Account by account, by the key: a search through all rows would delay others.
    for (let account = ''; ; ) {
      const next = await this.#database.read((queries) =>
        queries.first<{ account: string | null }>(
          'SELECT min(account) AS account FROM refused_calls WHERE account > $1',
          [account],
        ),
      );
      if (next?.account == null) return;
      account = next.account;
      await this.#database.write((queries) =>
        queries.run('DELETE FROM refused_calls WHERE account = $1 AND created_at < $2', [account, before]),
      );
    }
  }

  flush(): Promise<void> {
    const notes = this.#noted.take();
    if (notes.size > 0) {
      const write = () => this.#database.transaction((queries) => this.#write(queries, notes));
      // Calls that cannot be written are lost. No call or page fails because of them.
      this.#writing = this.#writing.then(write).catch(() => undefined);
    }
    return this.#writing;
  }

  /** Removes an account's calls, in the transaction that deletes it. */
  async deleteAccount(queries: Queries, { account }: { readonly account: string }): Promise<void> {
    this.#noted.deleteAccount(account);
    // A local database runs one transaction at a time, so waiting here would deadlock.
    if (this.#database.isRemote) await this.#writing;
    await queries.run('DELETE FROM refused_calls WHERE account = $1', [account]);
  }

  async #write(queries: Queries, notes: ReadonlyMap<string, readonly RefusedCall[]>): Promise<void> {
    // In key order, so that two nodes that write concurrently do not deadlock.
    const all = [...notes.values()].flat();
    const calls = all
      .filter(({ account }) => !this.#noted.isDeleted(account))
      .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    const rows = calls.map(({ created_at, api_key, ...call }) => ({
      ...call,
      created_at: Date.parse(created_at),
      key_id: api_key?.id ?? null,
      key_name: api_key?.name ?? null,
    }));
    await queries.run(
      `INSERT INTO refused_calls (${columns}) SELECT ${columns} FROM ${queries.dialect.records('$1', types)} WHERE true
       ON CONFLICT DO NOTHING`,
      [JSON.stringify(rows)],
    );
    for (const account of [...notes.keys()].toSorted()) {
      await queries.run(
        `DELETE FROM refused_calls WHERE account = $1 AND (created_at, id) < (
           SELECT created_at, id FROM refused_calls WHERE account = $1
           ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET $2)`,
        [account, maxRefusedCalls - 1],
      );
    }
  }
}

const orderOf = ({ account, created_at, id }: RefusedCall) => `${account} ${created_at} ${id}`;
