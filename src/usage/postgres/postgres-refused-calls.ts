import type { Postgres } from '../../../lib/postgres/postgres.js';
import type { Queries } from '../../../lib/postgres/queries.js';
import { type Clock, dayMs } from '../../../lib/runtime/clock.js';
import { NotedCalls, type RefusedRow, refusedCallOf, refusedConditions } from '../noted-calls.js';
import {
  maxRefusedCalls,
  type RefusedCall,
  type RefusedCalls,
  type RefusedQuery,
  refusedCallDays,
} from '../refused-calls.js';

const columns = 'id, account, created_at, endpoint, code, key_id, key_name, duration_ms';

/** True for what the database can hold: a call that came with another text is not kept. */
const isStorable = ({ id, endpoint, api_key }: RefusedCall) =>
  ![id, endpoint, api_key?.id, api_key?.name].some((text) => text?.includes('\0'));

/**
 * The `RefusedCalls` in a PostgreSQL database: a second's worth is written at once, however many callers are refused. What
 * another node noted is seen as soon as that has written it.
 */
export class PostgresRefusedCalls implements RefusedCalls {
  readonly #postgres: Postgres;
  readonly #clock: Clock;
  readonly #noted: NotedCalls;
  /** Resolves when what was taken from them is written. */
  #writing: Promise<void> = Promise.resolve();

  constructor(postgres: Postgres, clock: Clock) {
    this.#postgres = postgres;
    this.#clock = clock;
    this.#noted = new NotedCalls(clock, () => void this.flush());
  }

  note(call: RefusedCall): void {
    if (!isStorable(call)) return;
    this.#noted.add(call);
  }

  async list(account: string, query: RefusedQuery): Promise<readonly RefusedCall[]> {
    await this.flush();
    const conditions = refusedConditions(account, query);
    const values = conditions.flatMap(([, ...some]) => some);
    let place = 0;
    const where = conditions.map(([one]) => one.replaceAll('?', () => `$${++place}`)).join(' AND ');
    // No text in the database holds this character.
    if (values.some((value) => typeof value === 'string' && value.includes('\0'))) return [];
    const text = `SELECT ${columns} FROM refused_calls WHERE ${where}
      ORDER BY created_at DESC, id DESC LIMIT ${Math.trunc(query.limit)}`;
    return (await this.#postgres.read((queries) => queries.rows<RefusedRow>(text, values))).map(
      refusedCallOf,
    );
  }

  async find(account: string, id: string): Promise<RefusedCall | null> {
    if (id.includes('\0')) return null;
    await this.flush();
    const text = `SELECT ${columns} FROM refused_calls WHERE account = $1 AND id = $2`;
    const row = await this.#postgres.read((queries) => queries.first<RefusedRow>(text, [account, id]));
    return row === undefined ? null : refusedCallOf(row);
  }

  flush(): Promise<void> {
    const waiting = this.#noted.take();
    if (waiting.size > 0) {
      const write = () => this.#postgres.transaction((queries) => this.#write(queries, waiting));
      // What cannot be written is lost: no call and no page fails by it.
      this.#writing = this.#writing.then(write).catch(() => undefined);
    }
    return this.#writing;
  }

  /** Forgets an account's calls, in the transaction that deletes it. */
  async deleteAccount(queries: Queries, account: string): Promise<void> {
    this.#noted.deleteAccount(account);
    await this.#writing;
    await queries.run('DELETE FROM refused_calls WHERE account = $1', [account]);
  }

  async #write(queries: Queries, waiting: ReadonlyMap<string, readonly RefusedCall[]>): Promise<void> {
    // The order is that of their keys. Two nodes that write at once do not wait for each other in a circle.
    const calls = [...waiting.values()].flat().toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    await queries.run(
      `INSERT INTO refused_calls (${columns})
       SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[])
       ON CONFLICT DO NOTHING`,
      [
        calls.map(({ id }) => id),
        calls.map(({ account }) => account),
        calls.map(({ created_at }) => Date.parse(created_at)),
        calls.map(({ endpoint }) => endpoint),
        calls.map(({ code }) => code),
        calls.map(({ api_key }) => api_key?.id ?? null),
        calls.map(({ api_key }) => api_key?.name ?? null),
        calls.map(({ duration_ms }) => duration_ms),
      ],
    );
    const oldest = this.#clock.now() - refusedCallDays * dayMs;
    for (const account of [...waiting.keys()].toSorted()) {
      await queries.run(
        `DELETE FROM refused_calls WHERE account = $1 AND (created_at < $2 OR (created_at, id) < (
           SELECT created_at, id FROM refused_calls WHERE account = $1
           ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET $3))`,
        [account, oldest, maxRefusedCalls - 1],
      );
    }
  }
}

const placeOf = ({ account, created_at, id }: RefusedCall) => `${account} ${created_at} ${id}`;
