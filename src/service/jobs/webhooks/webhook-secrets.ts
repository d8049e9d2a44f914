import type { Database } from '../../../../lib/database/database.js';
import type { Queries } from '../../../../lib/database/queries.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { maxSecrets, newSecret, type SecretRow, secretOverlap, secretStateOf } from './delivery-rules.js';
import type { SecretState } from './webhooks.js';

/** Arbitrary, the same in all versions: the lock class for accounts' secrets. */
const lockClass = 7_238_472;

export class WebhookSecrets {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Returns the secrets that sign an account's deliveries now, newest first. If there is none, creates one, which the
   * first `rotate` shows, so that earlier signatures can be verified, too.
   */
  async list(account: string): Promise<readonly string[]> {
    const now = this.#clock.now();
    const existing = await this.#database.read((queries) => signingRows(queries, account, now));
    if (isComplete(existing)) return existing.map(({ secret }) => secret);
    return this.#changed(account, async (queries) => {
      const rows = await signingRows(queries, account, now);
      if (isComplete(rows)) return rows.map(({ secret }) => secret);
      const created = await insertSecret(queries, account, now, 0);
      return [created, ...rows.map(({ secret }) => secret)];
    });
  }

  /** Returns when the newest secret that was shown was created, without the secret. */
  async state(account: string): Promise<SecretState> {
    return secretStateOf(
      await this.#database.read((queries) => signingRows(queries, account, this.#clock.now())),
    );
  }

  /**
   * Creates a new secret, returned only here. Only the previous one still signs, for a day. A signing secret that was
   * never shown is returned as the new one.
   */
  rotate(account: string): Promise<SecretState & { readonly secret: string }> {
    return this.#changed(account, async (queries) => {
      const now = this.#clock.now();
      const rows = await signingRows(queries, account, now);
      const unseen = rows.find(({ shown }) => shown === 0);
      const secret = unseen?.secret ?? (await replaceSecret(queries, account, now));
      if (unseen !== undefined) {
        await queries.run('UPDATE webhook_secrets SET shown = 1 WHERE account = $1 AND number = $2', [
          account,
          unseen.number,
        ]);
      }
      return { secret, ...secretStateOf(await signingRows(queries, account, now)) };
    });
  }

  /** Runs work in a transaction that excludes other changes to the account's secrets. */
  #changed<T>(account: string, work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#database.transaction(async (queries) => {
      await queries.lock(lockClass, account);
      return work(queries);
    });
  }
}

export async function deleteSecrets(queries: Queries, account: string): Promise<void> {
  await queries.run('DELETE FROM webhook_secrets WHERE account = $1', [account]);
}

const isComplete = (rows: readonly SecretRow[]) => rows.some(({ ends_at }) => ends_at === null);

function signingRows(queries: Queries, account: string, now: number): Promise<SecretRow[]> {
  return queries.rows<SecretRow>(
    `SELECT number, secret, created_at, ends_at, shown FROM webhook_secrets
     WHERE account = $1 AND (ends_at IS NULL OR ends_at > $2) ORDER BY number DESC`,
    [account, now],
  );
}

async function insertSecret(queries: Queries, account: string, now: number, isShown: 0 | 1): Promise<string> {
  const secret = newSecret();
  await queries.run(
    `INSERT INTO webhook_secrets (account, number, secret, created_at, shown)
     VALUES ($1, (SELECT coalesce(max(number), 0) + 1 FROM webhook_secrets WHERE account = $1), $2, $3, $4)`,
    [account, secret, now, isShown],
  );
  return secret;
}

/** Creates the secret that signs from now on. Only the previous one still signs, for a day. */
async function replaceSecret(queries: Queries, account: string, now: number): Promise<string> {
  await queries.run(
    `DELETE FROM webhook_secrets WHERE account = $1 AND (ends_at <= $2
       OR number <= (SELECT max(number) FROM webhook_secrets WHERE account = $1) - ${maxSecrets - 1})`,
    [account, now],
  );
  await queries.run('UPDATE webhook_secrets SET ends_at = $1 WHERE account = $2 AND ends_at IS NULL', [
    now + secretOverlap,
    account,
  ]);
  return insertSecret(queries, account, now, 1);
}
