import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { Postgres } from '../../../lib/database/postgres/postgres.js';
import { unmeasured } from '../../../lib/ledger/call-row.js';
import { localAccount } from '../../../lib/ledger/ledger.js';
import { PostgresLedger } from '../../../lib/ledger/postgres/postgres-ledger.js';
import { lockFile } from '../../../lib/runtime/file-lock.js';
import { databaseSecret } from '../../../lib/runtime/postgres/database-secret.js';
import { cursorSecret } from '../../../lib/runtime/secret.js';
import { accountMoney } from '../../../src/compose/account-money.js';
import { importDirectory } from '../../../src/compose/import-directory.js';
import { openDirectory } from '../../../src/compose/open-store.js';
import type { OpenStore } from '../../../src/compose/stores.js';
import { keyedDigest } from '../../../src/service/accounts/digests.js';
import { openHostingStore } from '../../../src/service/accounts/open-accounts.js';
import { AuditStore, serverOperator } from '../../../src/service/audit/audit-store.js';
import type { NewJob } from '../../../src/service/jobs/job.js';
import { type JobRow, toJob } from '../../../src/service/jobs/job-row.js';
import { ScheduleStore } from '../../../src/service/jobs/schedules/schedule-store.js';
import { refusal } from '../../ledger/ledger-port.js';
import { directorySlices } from '../../service/jobs/directory-stores.js';
import { writeEarlierFiles } from '../../service/jobs/earlier-files.js';
import { FakeClock } from '../../support/fake-clock.js';
import { makeTestDatabase, skipWithoutPostgres, type TestDatabase } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const root = temporaryFolder();
let homes = 0;
const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
const { signal } = new AbortController();

/** A data directory with a customer who ordered a pack and called. */
async function usedHome(t: TestContext) {
  const home = path.join(root, `home-${++homes}`);
  const store = await openDirectory(home, clock, 250);
  const { ledger, accounts, alerts, purchases, refusedCalls } = store;
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= store.close();
    return closing;
  };
  t.after(close);
  const { id: account } = await accounts.create({ email: 'ann@example.com', verified: true, credits: 5_000 });
  const name = 'Ännchens “Laptop”';
  const { secret, key } = await accounts.createKey({ account, name, platforms: ['maps'] });
  await alerts.setThreshold(account, 700);
  await purchases.payByHand(account, 1_000, 'EUR');
  await purchases.setBuyer(account, { company: 'Ann & Söhne', tax_number: '' });
  const at = clock.now();
  const call = { account, endpoint: 'maps/place', credits: 3, needsPack: false, at };
  const apiKey = { id: key.id, name: key.name, monthlyCredits: null };
  for (const id of ['call_1', 'call_2']) await ledger.pay({ ...call, id, key: apiKey });
  await ledger.charge({ ...call, id: 'call_3', key: apiKey });
  await ledger.settle('call_3', { status: 'failed', code: 'platform_blocked' });
  const refused = { id: 'call_4', account, created_at: new Date(at).toISOString(), endpoint: 'maps/place' };
  refusedCalls.note({ ...refused, code: 'rate_limited', api_key: null, ...unmeasured });
  await refusedCalls.flush();
  return { home, store, account, secret, close };
}

/** An empty database, and the import of a data directory into it. */
async function madeDatabase(t: TestContext) {
  const database = await makeTestDatabase();
  t.after(() => database.drop());
  const importHome = (home: string, stop = signal) =>
    importDirectory({ operator: serverOperator, home, config: database.config, clock, signal: stop });
  return { database, importHome };
}

const countsOf = (moved: Awaited<ReturnType<typeof importDirectory>>) =>
  Object.fromEntries(moved.map(({ table, rows }) => [table, rows]));
const wrong = (said: RegExp) => refusal('invalid_parameter', said);

async function makeJob(
  { jobStores }: Awaited<ReturnType<typeof openDirectory>>,
  account: string,
  inputs: readonly string[],
  more: Partial<NewJob> = {},
) {
  const job = { account, key: undefined, endpoint: 'maps/place', credits: 3, inputs };
  const order = { ...job, webhookUrl: undefined, idempotency: undefined, ...more };
  return (await jobStores.jobs.create(order, () => '{"data":1}')).id;
}

/** What is there of money and accounts in a database. */
async function openedDatabase(t: TestContext, { config }: TestDatabase) {
  const postgres = await Postgres.open(config, clock);
  const ledger = new PostgresLedger(postgres, clock);
  t.after(async () => {
    await ledger.close();
    await postgres.close();
  });
  const secret = await databaseSecret(postgres);
  const hosting = openHostingStore({
    ...{ database: postgres, clock, money: accountMoney(ledger.owner), digest: keyedDigest(secret) },
    ...{ trialCredits: 250, rows: [] },
  });
  return { postgres, ledger, secret, ...hosting };
}

describe('the import of a data directory', { skip: skipWithoutPostgres }, () => {
  test('moves accounts, keys, money and history, counted', async (t) => {
    const { home, store, account, secret, close } = await usedHome(t);
    type Money = Pick<OpenStore, 'ledger' | 'accounts' | 'purchases'>;
    const stateOf = async ({ ledger, accounts, purchases }: Money) => ({
      balances: [await ledger.balance(account), await ledger.balance(localAccount)],
      usage: await ledger.usage(account, { limit: 100 }),
      keys: await accounts.listKeys(account),
      purchases: await purchases.list(account),
      buyer: await purchases.findBuyer(account),
    });
    const before = await stateOf(store);
    await close();
    const { database, importHome } = await madeDatabase(t);
    assert.partialDeepStrictEqual(countsOf(await importHome(home)), {
      ...{ balances: 2, users: 1, api_keys: 1, usage: 3, alerts: 1, refused_calls: 1, purchases: 1 },
    });
    const opened = await openedDatabase(t, database);
    const { ledger, accounts, alerts, purchases } = opened;
    assert.deepEqual(await stateOf({ ledger, accounts, purchases }), before);
    assert.equal(await alerts.readThreshold(account), 700);
    assert.equal((await accounts.authenticate(secret)).account, account);
    assert.deepEqual(Buffer.from(opened.secret), Buffer.from(await cursorSecret(home)));
    // Receipt numbers continue.
    const [last, next] = [before.purchases[0], await purchases.payByHand(account, 1_000, 'EUR')];
    assert.equal(next.receipt, (last?.receipt ?? 0) + 1);
  });

  test('moves jobs in their state, with their results, and schedules', async (t) => {
    const { home, store, account, close } = await usedHome(t);
    const { jobs, schedules, webhooks } = store.jobStores;
    const ok = { status: 'ok', cached: false, credits: 3 } as const;
    const make = (inputs: readonly string[], more?: Partial<NewJob>) => makeJob(store, account, inputs, more);
    const slices = directorySlices(store.jobStores, clock);
    const end = (id: string, indexes: readonly number[]) =>
      slices.commit(
        id,
        indexes.map((index) => ({ index, ending: ok, line: Buffer.from(line(index)) })),
      );
    const line = (index: number) => `{"input":{"q":${index}},"data":{"name":"Ä${index}"}}\n`;
    const inputs = ['{"q":0}', '{"q":1}', '{"q":2}'];
    const webhookUrl = 'https://hooks.example/';
    const idempotency = { key: 'k', digest: 'd' };
    const done = await make(inputs.slice(0, 2), { webhookUrl, name: 'Done', idempotency });
    await end(done, [0, 1]);
    // The line of the third waits for the second.
    const open = await make(inputs, { schedule: { every: '6h' } });
    await end(open, [0, 2]);
    const cancelled = await make(inputs);
    await jobs.cancel(account, cancelled);
    await webhooks.secrets.rotate(account);
    const before = {
      jobs: (await jobs.list(account, 10, undefined)).jobs,
      schedules: (await schedules.list(account, 10, undefined)).schedules,
      credits: (await store.ledger.balance(account)).credits,
    };
    // As if no server of this version had been started on the directory.
    await writeEarlierFiles(home, store);
    await close();
    const { database, importHome } = await madeDatabase(t);
    const counts = { jobs: 3, schedules: 1, job_results: 4, webhook_secrets: 1, audit_acts: 1 };
    assert.partialDeepStrictEqual(countsOf(await importHome(home)), counts);
    const { postgres, ledger } = await openedDatabase(t, database);
    const audit = new AuditStore(postgres, clock, serverOperator);
    const acts = (await audit.list({ limit: 9 })).map(({ act }) => act);
    assert.deepEqual(acts, ['data.import', 'credits.grant']);
    const sql = 'SELECT * FROM jobs ORDER BY id DESC';
    const found = await postgres.read((queries) => queries.rows<JobRow>(sql));
    const jobsFound = found.map((row) => toJob(row, 7));
    assert.deepEqual(jobsFound, before.jobs);
    assert.deepEqual(
      found.map(({ lines, bytes, late_bytes }) => [lines, bytes, late_bytes]),
      ['', line(0), line(0) + line(1)].map((text, lines) => [lines, Buffer.byteLength(text), 0]),
    );
    const lines = await postgres.read((queries) =>
      queries.rows('SELECT job, place, line FROM job_results ORDER BY job, place'),
    );
    const stored = (job: string, place: number) => ({ job, place, line: line(place) });
    assert.deepEqual(lines, [stored(done, 0), stored(done, 1), stored(open, 0), stored(open, 2)]);
    const imported = new ScheduleStore(postgres, clock, {
      makeScheduled: () => assert.fail('no run is due'),
      forgetScheduleInputs: () => assert.fail('no schedule ended'),
      withdraw: () => assert.fail('no schedule ended'),
    });
    assert.deepEqual((await imported.list(account, 10, undefined)).schedules, before.schedules);
    assert.equal((await ledger.balance(account)).credits, before.credits);
  });

  test('refuses incomplete results, and names the job', async (t) => {
    const { home, store, account, close } = await usedHome(t);
    const id = await makeJob(store, account, ['{}', '{}']);
    const ending = { status: 'ok', cached: false, credits: 3 } as const;
    const lines = [0, 1].map((index) => ({ index, ending, line: Buffer.from('{}\n') }));
    await directorySlices(store.jobStores, clock).commit(id, lines);
    await store.results.write((queries) => queries.run('DELETE FROM job_results WHERE place = 1'));
    await close();
    const { importHome } = await madeDatabase(t);
    const missing = new RegExp(`1 lines of the results of job ${id} are missing`);
    await assert.rejects(importHome(home), wrong(missing));
  });

  test('refuses a database that is not empty, and changes nothing there', async (t) => {
    const { home, close } = await usedHome(t);
    await close();
    const { database, importHome } = await madeDatabase(t);
    await importHome(home);
    // As after a kill between the commit and its report.
    await assert.rejects(importHome(home), wrong(/already contains .* an earlier import is complete/));
    const other = await usedHome(t);
    await other.close();
    await assert.rejects(importHome(other.home), wrong(/is in use: its table/));
    const { postgres } = await openedDatabase(t, database);
    const usage = await postgres.read((queries) => queries.first('SELECT count(*) AS calls FROM usage'));
    assert.deepEqual(usage, { calls: 3 });
  });

  test('refuses a directory that a server works on, one with open calls, and one without a ledger', async (t) => {
    const { home, store, account, close } = await usedHome(t);
    const { importHome } = await madeDatabase(t);
    await mkdir(path.join(home, 'jobs'));
    const lock = await lockFile(path.join(home, 'jobs', 'runner.lock'));
    await assert.rejects(importHome(home), wrong(/server is using/));
    lock?.release();
    const call = { account, endpoint: 'maps/place', credits: 3, needsPack: false, at: clock.now() };
    await store.ledger.charge({ ...call, id: 'call_open' });
    await assert.rejects(importHome(home), wrong(/is making calls/));
    await store.ledger.refund('call_open');
    await close();
    await assert.rejects(importHome(path.join(root, 'nowhere')), wrong(/no ledger in/));
    await importHome(home);
  });

  test('rolls back if it is interrupted, or would leave something behind', async (t) => {
    const { home, store, account, close } = await usedHome(t);
    const { database, importHome } = await madeDatabase(t);
    store.database.db.exec('CREATE TABLE later (id TEXT); INSERT INTO later VALUES (1)');
    await assert.rejects(importHome(home), refusal('internal_error', /no table for later/));
    store.database.db.exec('DELETE FROM later');
    await close();
    await assert.rejects(importHome(home, AbortSignal.abort(new Error('enough'))), /enough/);
    await importHome(home);
    const { ledger } = await openedDatabase(t, database);
    assert.equal((await ledger.balance(account)).bought, true);
  });
});
