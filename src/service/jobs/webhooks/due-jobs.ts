import type { Dialect } from '../../../../lib/database/dialect.js';
import { isPastSql, type Queries } from '../../../../lib/database/queries.js';
import type { JobRow } from '../job-row.js';
import { maxPerAccount, maxPerHost } from './deliverer.js';
import { maxPauseMs } from './delivery-rules.js';

/** Maximum jobs per search, and hosts per account. The next search continues after them. */
const maxJobs = 512;
const maxHosts = 50;

/** SQL for scheme and host of a webhook's address: "https://" has eight characters. */
export const webhookHost = ({ position }: Pick<Dialect, 'position'>) =>
  `lower(substr(webhook_url, 1, 7 + ${position("substr(webhook_url, 9) || '/'", "'/'")}))`;

/** Yields the names after one, then those up to it. `next` returns the name after another. */
async function* keysAfter(after: string, next: (after: string) => Promise<string | null>) {
  for (let at = await next(after); at !== null; at = await next(at)) yield at;
  if (after === '') return;
  for (let at = await next(''); at !== null && at <= after; at = await next(at)) yield at;
}

async function firstName(queries: Queries, text: string, values: readonly string[]): Promise<string | null> {
  return (await queries.first<{ readonly next: string | null }>(text, values))?.next ?? null;
}

const nextAccount = (queries: Queries, after: string) =>
  firstName(queries, 'SELECT min(account) AS next FROM jobs WHERE webhook_due IS NOT NULL AND account > $1', [
    after,
  ]);

function nextHost(queries: Queries, account: string, after: string): Promise<string | null> {
  const host = webhookHost(queries.dialect);
  return firstName(
    queries,
    `SELECT min(${host}) AS next FROM jobs WHERE webhook_due IS NOT NULL AND account = $1 AND ${host} > $2`,
    [account, after],
  );
}

/**
 * Reads due deliveries: some of each account and host, among which `AccountTurns` chooses. Each search continues after
 * the previous one's last account and, within it, last host, so that the backlog of one account or host is not even
 * read.
 */
export class DueJobs {
  #account = '';
  /** The last host searched, for accounts with more hosts than one search covers. */
  readonly #hosts = new Map<string, string>();

  /** Returns jobs whose delivery is due at `now`, for each host the longest waiting first. */
  async next(queries: Queries, now: number): Promise<readonly JobRow[]> {
    const due: JobRow[] = [];
    for await (const account of keysAfter(this.#account, (after) => nextAccount(queries, after))) {
      due.push(...(await this.#ofAccount(queries, account, now)));
      this.#account = account;
      if (due.length >= maxJobs) break;
    }
    return due;
  }

  async #ofAccount(queries: Queries, account: string, now: number): Promise<readonly JobRow[]> {
    const due: JobRow[] = [];
    const after = this.#hosts.get(account) ?? '';
    this.#hosts.delete(account);
    let hostCount = 0;
    for await (const host of keysAfter(after, (behind) => nextHost(queries, account, behind))) {
      due.push(
        ...(await queries.rows<JobRow>(
          `SELECT * FROM jobs WHERE webhook_due IS NOT NULL AND account = $1
             AND ${webhookHost(queries.dialect)} = $2 AND ${isPastSql('webhook_due', '$3', maxPauseMs)} AND ${isPastSql('webhook_claimed', '$3', maxPauseMs)}
           ORDER BY webhook_due LIMIT $4`,
          [account, host, now, maxPerHost],
        )),
      );
      hostCount += 1;
      if (due.length < 2 * maxPerAccount && hostCount < maxHosts) continue;
      this.#hosts.set(account, host);
      return due;
    }
    return due;
  }
}
