import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import type { Postgres } from '../../../lib/postgres/postgres.js';
import type { Queries } from '../../../lib/postgres/queries.js';
import { type Clock, dayMs } from '../../../lib/runtime/clock.js';
import {
  maxRefusedCalls,
  type RefusedCall,
  type RefusedCalls,
  type RefusedQuery,
  refusedCallDays,
} from '../refused-calls.js';

interface Row {
  readonly id: string;
  readonly account: string;
  readonly created_at: number;
  readonly endpoint: string;
  readonly code: ErrorCode;
  readonly key_id: string | null;
  readonly key_name: string | null;
  readonly duration_ms: number | null;
}

/** Milliseconds that noted calls wait for others before they are written. */
const writeMs = 1_000;
const columns = 'id, account, created_at, endpoint, code, key_id, key_name, duration_ms';

function toCall({ created_at, key_id, key_name, ...row }: Row): RefusedCall {
  return {
    ...row,
    created_at: new Date(created_at).toISOString(),
    api_key: key_id === null ? null : { id: key_id, name: key_name ?? '' },
  };
}

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
  /** Noted and not yet written, by account. */
  #waiting = new Map<string, RefusedCall[]>();
  /** Resolves when what was taken from there is written. */
  #writing: Promise<void> = Promise.resolve();
  #disarm: (() => void) | undefined;

  constructor(postgres: Postgres, clock: Clock) {
    this.#postgres = postgres;
    this.#clock = clock;
  }

  note(call: RefusedCall): void {
    if (!isStorable(call)) return;
    const calls = this.#waiting.get(call.account) ?? [];
    calls.push(call);
    if (calls.length > maxRefusedCalls) calls.shift();
    this.#waiting.set(call.account, calls);
    this.#disarm ??= this.#clock.alarm(writeMs, () => void this.flush(), false);
  }

  async page(account: string, query: RefusedQuery): Promise<readonly RefusedCall[]> {
    await this.flush();
    const { before, endpoint, key, code, from, to, limit } = query;
    const values: (string | number)[] = [account];
    const conditions = ['account = $1'];
    const where = (condition: string, ...given: readonly (string | number)[]) => {
      let next = values.length;
      conditions.push(condition.replaceAll('?', () => `$${++next}`));
      values.push(...given);
    };
    if (before !== undefined) where('(created_at, id) < (?, ?)', before.at, before.id);
    if (endpoint !== undefined) where('endpoint = ?', endpoint);
    if (key !== undefined) where('key_id = ?', key);
    if (code !== undefined) where('code = ?', code);
    if (from !== undefined) where('created_at >= ?', Date.parse(from));
    if (to !== undefined) where('created_at < ?', Date.parse(to));
    // No text in the database holds this character.
    if (values.some((value) => typeof value === 'string' && value.includes('\0'))) return [];
    const text = `SELECT ${columns} FROM refused_calls WHERE ${conditions.join(' AND ')}
      ORDER BY created_at DESC, id DESC LIMIT ${Math.trunc(limit)}`;
    return (await this.#postgres.read((queries) => queries.rows<Row>(text, values))).map(toCall);
  }

  async find(account: string, id: string): Promise<RefusedCall | null> {
    if (id.includes('\0')) return null;
    await this.flush();
    const text = `SELECT ${columns} FROM refused_calls WHERE account = $1 AND id = $2`;
    const row = await this.#postgres.read((queries) => queries.first<Row>(text, [account, id]));
    return row === undefined ? null : toCall(row);
  }

  flush(): Promise<void> {
    this.#disarm?.();
    this.#disarm = undefined;
    const waiting = this.#waiting;
    if (waiting.size > 0) {
      this.#waiting = new Map();
      const write = () => this.#postgres.transaction((queries) => this.#write(queries, waiting));
      // What cannot be written is lost: no call and no page fails by it.
      this.#writing = this.#writing.then(write).catch(() => undefined);
    }
    return this.#writing;
  }

  /** Forgets an account's calls, in the transaction that deletes it. */
  async deleteAccount(queries: Queries, account: string): Promise<void> {
    this.#waiting.delete(account);
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
