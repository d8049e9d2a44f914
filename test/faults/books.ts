import assert from 'node:assert/strict';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { systemClock } from '../../lib/runtime/clock.js';
import { openStore } from '../../src/compose/open-store.js';
import { inspect } from '../ledger/books.js';
import { assertJobsSound } from '../service/jobs/job-books.js';
import type { Client, ClientAnswer } from './client.js';
import type { Serving } from './program.js';
import { until } from './scenario.js';

/** A data directory with an account that has credits, and a key. */
export interface Home {
  readonly home: string;
  readonly secret: string;
  readonly account: string;
}

export async function newHome(home: string): Promise<Home> {
  const { ledger, accounts } = await openStore(home, systemClock, 0);
  const { id } = await accounts.create({ email: 'ann@example.com', verified: true, credits: 5_000_000 });
  const { secret } = await accounts.createKey({ account: id, name: 'faults', platforms: null });
  await ledger.close();
  return { home, secret, account: id };
}

/**
 * The books balance. Each answer that reached its client is charged once, as it said, and each refusal that did is
 * charged nothing. Only while no call is running.
 */
export function assertBooks({ home }: Pick<Home, 'home'>, answered: readonly ClientAnswer[]): void {
  assertJobsSound(home);
  const rows = inspect(path.join(home, 'ledger.db'), (db) => db.prepare<[], CallRow>(callRows).all());
  assertCharged(rows, answered);
}

/** The outcome of a call in the ledger. */
export interface CallRow {
  readonly id: string;
  readonly status: string;
  readonly credits_charged: number;
}

/** Selects the calls outside jobs, in either store. */
export const callRows = 'SELECT id, status, credits_charged FROM usage WHERE job_id IS NULL';

/** Each answer that reached its client is charged once, as it said, and each refusal that did is charged nothing. */
export function assertCharged(rows: readonly CallRow[], answered: readonly ClientAnswer[]): void {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { id, status, charged } of answered) {
    const row = byId.get(id);
    if (status === 200)
      assert.deepEqual([row?.status, row?.credits_charged], ['ok', charged], `${id} was answered`);
    else assert.equal(row?.credits_charged ?? 0, 0, `${id} was refused`);
  }
}

/** Calls that have not ended. A server refunds the calls of a killed one within a minute, when it is first used. */
export function pendingCalls({ home }: Pick<Home, 'home'>): number {
  return inspect(path.join(home, 'ledger.db'), (db) =>
    Number(
      db.prepare(`SELECT count(*) FROM usage WHERE status = 'pending' AND job_id IS NULL`).pluck().get(),
    ),
  );
}

/** Stops an idle server: it reports that it is healthy, nothing is open, and the books balance. */
export async function assertEnd(
  { child, ended, output }: Serving,
  home: Home,
  client: Client,
): Promise<void> {
  child.kill('SIGTERM');
  assert.equal(await ended, 0, output());
  assert.equal(pendingCalls(home), 0);
  assertBooks(home, client.answered);
  await client.close();
}

/** Calls that were refused, and so cost nothing. */
export const refusedOf = ({ answered }: Client) => answered.filter(({ status }) => status !== 200).length;

/** The lines of a job as stored in a data directory. */
export function storedLines(home: string, job: string): string {
  const db = new Sqlite(path.join(home, 'results.db'), { readonly: true });
  try {
    const lines = db
      .prepare<[string], string>('SELECT line FROM job_results WHERE job = ? ORDER BY place')
      .pluck();
    return lines.all(job).join('');
  } finally {
    db.close();
  }
}

/**
 * Waits for a job's end. Checks that each of its inputs occurs once, in order, at the right price. Reads the file of
 * the data directory if there is one, otherwise the server's answers.
 */
export async function assertJob(
  client: Client,
  id: string,
  names: readonly string[],
  { home, ms = 120_000 }: { readonly home?: string; readonly ms?: number } = {},
): Promise<void> {
  let job: Readonly<Record<string, unknown>> = {};
  await until(`the job ${id} is done`, ms, async () => {
    job = (await client.get(`/v1/jobs/${id}`).catch(() => null))?.body?.data ?? {};
    return job.status === 'done';
  });
  const text = home === undefined ? await client.text(`/v1/jobs/${id}/results`) : storedLines(home, id);
  assert.ok(!text.startsWith('{"error":'), `the results of ${id}: ${text}`);
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { input: { username: string }; error?: { code: string } });
  assert.deepEqual(
    lines.map(({ input }) => input.username),
    names,
  );
  const faults = lines.filter(({ error }) => error?.code === 'internal_error');
  assert.deepEqual(faults, [], 'no input ends by a fault of ours');
  const failed = lines.filter(({ error }) => error !== undefined).length;
  assert.deepEqual([job.completed, job.failed], [names.length - failed, failed]);
}
