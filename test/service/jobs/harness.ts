import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Services } from '../../../lib/call/call.js';
import { type Config, readConfig } from '../../../lib/config.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Ledger } from '../../../lib/ledger/ledger.js';
import { type Clock, systemClock } from '../../../lib/runtime/clock.js';
import { openServices } from '../../../lib/services.js';
import { type DirectoryStore, openDirectory } from '../../../src/compose/open-store.js';
import type { OpenStore } from '../../../src/compose/stores.js';
import { readServerConfig } from '../../../src/config/server-config.js';
import { createApp } from '../../../src/faces/server/app.js';
import { Metrics } from '../../../src/faces/server/metrics.js';
import { serverLog } from '../../../src/output/log.js';
import type { AccountStore } from '../../../src/service/accounts/account-store.js';
import type { Job, NewJob } from '../../../src/service/jobs/job.js';
import { InputTexts } from '../../../src/service/jobs/job-limits.js';
import { parseJobRequest } from '../../../src/service/jobs/job-request.js';
import type { Jobs } from '../../../src/service/jobs/open-jobs.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import type { DirectoryJobsOptions } from '../../../src/service/jobs/sqlite/open-directory-jobs.js';
import { submitJob } from '../../../src/service/jobs/submit-job.js';
import { holdToDescription } from '../../support/api-description.js';
import type { FakeClock } from '../../support/fake-clock.js';
import { harbourOne, harbours } from '../../support/invented-rows.js';

/** Rows of the tests' own: `maps/harbours` costs 3, `maps/harbour` 2. */
export const rows: readonly Endpoint[] = [harbours, harbourOne];

/** An account with a key. */
export interface Customer {
  readonly account: string;
  readonly secret: string;
  readonly key: { readonly id: string; readonly name: string };
}

export interface JobsHarness<Store extends OpenStore = DirectoryStore>
  extends Awaited<ReturnType<typeof jobsOver<Store>>> {}

export interface JobsHarnessOptions
  extends Partial<Omit<DirectoryJobsOptions, 'stores' | 'services' | 'config'>> {
  readonly clock?: Clock;
  readonly home?: string;
  readonly services?: Partial<Services>;
  readonly config?: Partial<Config>;
  /** False: nothing is worked on until the test says so. */
  readonly start?: boolean;
}

/** Immediately returns the request's parameters. */
export const echo: CallFunction = async (_, params, caller) => answerOf({ echo: params }, caller.requestId);

/** The answer of a platform. */
export function answerOf(data: unknown, requestId: string, fetchedAt = '2026-01-01T00:00:00.000Z') {
  const meta = {
    ...{ request_id: requestId, credits_charged: 3, credits_remaining: 0, cached: false },
    ...{ fetched_at: fetchedAt, next_cursor: null },
  };
  return { source: 'platform' as const, json: JSON.stringify(data), meta };
}

/** Echoes; inputs whose query begins with `bad` fail. */
export const picky: CallFunction = async (endpoint, params, caller, signal) => {
  if (String(params.query).startsWith('bad')) throw new ExtractError('place_not_found');
  return echo(endpoint, params, caller, signal);
};

const homes: string[] = [];
// Not before everything in them was closed, which tests do at their own end.
process.once('exit', () => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

export function newHome(_: TestContext): string {
  const home = mkdtempSync(path.join(tmpdir(), 'extract-jobs-'));
  homes.push(home);
  return home;
}

/** Jobs over a data directory of the test's own. */
export function jobsHarness(t: TestContext, options: JobsHarnessOptions = {}): Promise<JobsHarness> {
  return jobsOver(t, openDirectory, options);
}

/** Jobs over what `open` opens, which stays open. */
export async function jobsOver<Store extends OpenStore>(
  t: TestContext,
  open: (home: string, clock: Clock, trialCredits: number) => Promise<Store>,
  options: JobsHarnessOptions = {},
) {
  const {
    clock = systemClock,
    home = newHome(t),
    services: extraServices,
    start = true,
    config,
    ...rest
  } = options;
  const opened = await open(home, clock, 500);
  const { accounts } = opened;
  const ledger: Store['ledger'] = opened.ledger;
  const own = openServices(readConfig({ home }, {}), { ledger, suppressions: opened.suppressions });
  const services: Services = { ...own, clock, docsBase: 'https://docs.example', ...extraServices };
  /** What the runner reported to `onError`. */
  const errors: unknown[] = [];
  const jobs: Jobs = opened.createJobs({
    services,
    config: readConfig({ home, ...config }, {}),
    endpoints: rows,
    webhookAllow: [],
    ask: echo,
    onError: (_, cause) => errors.push(cause),
    ...rest,
  });
  let closed: Promise<void> | undefined;
  /** Shuts down gracefully, as a server does on SIGTERM. */
  const close = () => {
    closed ??= jobs.stop().then(() => own.close());
    return closed;
  };
  t.after(close);
  if (start) jobs.start();
  return {
    ...{ home, clock, opened, ledger, accounts, services, jobs, errors, close },
    ...customersOf(accounts, ledger),
  };
}

let customers = 0;

/** Makes accounts with credits and a key, and says what they have. */
const customersOf = (accounts: AccountStore, ledger: Pick<Ledger, 'balance'>) => ({
  async customer(credits = 100_000): Promise<Customer> {
    customers += 1;
    const email = `customer${customers}@example.com`;
    const { id } = await accounts.create({ email, verified: true, credits });
    const { key, secret } = await accounts.createKey({ account: id, name: 'first', platforms: null });
    return { account: id, secret, key: { id: key.id, name: key.name } };
  },
  credits: async (account: string) => (await ledger.balance(account)).credits,
});

/** Makes a job of queries, as the route does. */
export async function makeJob(
  { jobs }: Pick<JobsHarness, 'jobs'>,
  { account, key }: Customer,
  queries: readonly string[],
  more: Partial<NewJob> = {},
): Promise<string> {
  const inputs = queries.map((query) => JSON.stringify({ query }));
  const { id } = await jobs.store.create(
    {
      ...{ account, key, endpoint: 'maps/harbours', credits: 3, inputs },
      ...{ webhookUrl: undefined, idempotency: undefined },
      ...more,
    },
    (job) => JSON.stringify(job),
  );
  jobs.wake();
  return id;
}

/** Submits the body of a job with these inputs, as the routes do. */
export async function submit(
  { jobs }: Pick<JobsHarness, 'jobs'>,
  { account, key }: Pick<Customer, 'account' | 'key'>,
  body: object,
  inputs: readonly string[],
) {
  const fields = { endpoint: 'maps/harbours', ...body, inputs: new InputTexts(inputs) };
  const request = await parseJobRequest(fields, jobs.endpoints, account);
  return submitJob(jobs, { account, key, request, idempotencyKey: undefined }, () => '');
}

/** Waits, in real time, until something holds. A database has other work between two looks: `pauseMs`. */
export async function until(holds: () => boolean | Promise<boolean>, pauseMs = 0): Promise<void> {
  while (!(await holds())) await (pauseMs === 0 ? setImmediate() : setTimeout(pauseMs));
}

/** Lets an hour of sweeps pass, and waits until each is over. No more passes while it works on the disk. */
export async function passSweep(clock: FakeClock): Promise<void> {
  const interval = 10 * 60_000;
  const ended = () => clock.slept.filter((ms) => ms === interval).length;
  await until(() => ended() > 0);
  // A date that the test set is believed after an hour.
  for (let passed = 0; passed <= 3_600_000; passed += interval) {
    const before = ended();
    await clock.advance(interval);
    await until(() => ended() > before);
  }
}

/** Waits until a job's last line is there. */
export async function awaitJob(
  { jobs, pauseMs }: Pick<JobsHarness, 'jobs'> & { readonly pauseMs?: number },
  { account }: { readonly account: string },
  id: string,
): Promise<Job> {
  await until(async () => {
    const { lines, total } = await jobs.store.readProgress(account, id);
    return lines === total;
  }, pauseMs);
  return await jobs.store.find(account, id);
}

export interface Line {
  readonly input: { readonly query?: string };
  readonly data?: unknown;
  readonly error?: { readonly code: string; readonly request_id: string };
}

/** The lines of a job as they are read, held against what is vouched for. */
export async function linesOf(
  { jobs }: Pick<JobsHarness, 'jobs'>,
  { account }: Pick<Customer, 'account'>,
  id: string,
): Promise<Line[]> {
  const { bytes, lines } = await jobs.store.readProgress(account, id);
  const results = await jobs.results.open(account, id);
  const text = await textOf(results.read(0, bytes));
  const parsed = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
  if (parsed.length !== lines || (lines > 0 && !text.endsWith('\n')))
    throw new Error('lines and extent differ');
  return parsed;
}

/** The server app over a harness, without a listening port. `stalledMs`: how long a client may stop reading. */
export function appOf({ services, accounts, jobs, opened }: JobsHarness, stalledMs = 30_000) {
  const timeouts = { headersMs: 10_000, requestMs: 60_000, keepAliveMs: 72_000, checkIntervalMs: 1_000 };
  const app = createApp({
    ...{ services, accounts, jobs, usage: opened.usage },
    closing: new AbortController().signal,
    timeouts: { ...timeouts, stalledMs },
    metrics: new Metrics(),
    config: readServerConfig({ rateLimit: 1_000_000, logLevel: 'silent' }, {}),
    log: serverLog('silent', { write: () => undefined }),
  });
  holdToDescription(app);
  return app;
}

export const numbered = (count: number, word = 'q') =>
  Array.from({ length: count }, (_, at) => `${word}${at}`);
