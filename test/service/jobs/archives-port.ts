import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Services } from '../../../lib/call/call.js';
import { type Clock, systemClock } from '../../../lib/runtime/clock.js';
import { parseSubject } from '../../../lib/suppressions/subject.js';
import { SuppressedSubjects } from '../../../lib/suppressions/suppressed-subjects.js';
import { Traces } from '../../../lib/suppressions/traces.js';
import type { OpenStore } from '../../../src/compose/stores.js';
import type { JobsOptions } from '../../../src/service/jobs/job-parts.js';
import { comments, download, inputs, makeArchived, real, recordedPages, verdicts } from './archived-jobs.js';
import { awaitJob, type JobsHarness, linesOf, makeJob, until } from './harness.js';

/** Jobs over a store of the test's own, which may be closed and opened again. */
export interface ArchivesNode extends Pick<JobsHarness, 'home' | 'jobs' | 'customer' | 'close'> {
  readonly opened: OpenStore;
}

export interface ArchivesNodeOptions extends Partial<Omit<JobsOptions, 'services' | 'config'>> {
  readonly clock?: Clock;
  readonly services: Partial<Services>;
}

interface ArchivesUnderTest {
  node(options: ArchivesNodeOptions): Promise<ArchivesNode>;
  /** Records that are kept, of all jobs: their bytes as they stand. */
  kept(): Promise<number>;
}

/** Milliseconds between two looks. */
const pauseMs = 20;

const equal = inputs.map(() => 'equal');
const refused = (code: string) => (error: { code?: string }) => error.code === code;

/** What all archives of jobs promise. */
export function archivesSuite(open: (t: TestContext) => Promise<ArchivesUnderTest>): void {
  test('hold what each line was read from, and are the same bytes again', async (t) => {
    const node = await (await open(t)).node({ ...real, services: { pages: async () => recordedPages() } });
    const customer = await node.customer();
    const id = await makeArchived(node, customer);
    await awaitJob(node, customer, id);
    const lines = (await linesOf(node, customer, id)) as {
      sources?: { records: string[] }[];
      records?: string[];
    }[];
    const bytes = await download(node, customer.account, id);
    assert.deepEqual(await verdicts(bytes, lines), equal);
    for (const { sources, records } of lines)
      assert.match((sources?.[0]?.records ?? records ?? []).join(), /^urn:uuid:/);
    assert.ok((await download(node, customer.account, id)).equals(bytes));
  });

  test('are refused by name: for another account, before the end, and for a job without one', async (t) => {
    const under = await open(t);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const node = await under.node({ ...real, services: { pages: async () => recordedPages(() => held) } });
    const customer = await node.customer();
    const id = await makeArchived(node, customer);
    await assert.rejects(download(node, customer.account, id), refused('job_not_finished'));
    await assert.rejects(download(node, (await node.customer()).account, id), refused('job_not_found'));
    release();
    await awaitJob(node, customer, id);
    const plain = await makeJob(node, customer, [], { endpoint: comments.path, inputs: inputs.slice(0, 1) });
    await awaitJob(node, customer, plain);
    await assert.rejects(download(node, customer.account, plain), refused('archive_not_found'));
    const nothing = await makeJob(node, customer, [], {
      ...{ endpoint: comments.path, inputs: ['{"id":"no number"}'] },
      lineOptions: { sources: true, archive: true },
    });
    await awaitJob(node, customer, nothing);
    await assert.rejects(download(node, customer.account, nothing), refused('archive_not_found'));
  });

  test('count among the stored bytes, and nothing more is asked for an account that has no room', async (t) => {
    const under = await open(t);
    const asked: string[] = [];
    const pages = recordedPages((url) => asked.push(url));
    const options = { ...real, services: { pages: async () => pages } };
    const node = await under.node(options);
    const customer = await node.customer();
    const before = await node.jobs.storage.of(customer.account);
    const id = await makeArchived(node, customer);
    await awaitJob(node, customer, id);
    const stored = (await node.jobs.storage.of(customer.account)) - before;
    assert.ok((await under.kept()) > 1000 && stored > (await under.kept()), `${stored}`);
    await node.close();
    const full = await under.node({ ...options, accountBytes: stored });
    const requests = asked.length;
    const next = await makeArchived(full, customer);
    await awaitJob(full, customer, next);
    const codes = (await linesOf(full, customer, next)).map(({ error }) => error?.code);
    assert.deepEqual(
      codes,
      inputs.map(() => 'storage_full'),
    );
    assert.equal(asked.length, requests);
  });

  test('are deleted with the results', async (t) => {
    const under = await open(t);
    const options = { ...real, services: { pages: async () => recordedPages() } };
    const node = await under.node(options);
    const customer = await node.customer();
    const id = await makeArchived(node, customer);
    await awaitJob(node, customer, id);
    await download(node, customer.account, id);
    assert.ok((await under.kept()) > 0);
    await node.close();
    // A node sweeps when it starts.
    const clock = { ...systemClock, now: () => systemClock.now() + 7 * 24 * 3_600_000 };
    const later = await under.node({ ...options, clock });
    await until(async () => (await under.kept()) === 0, pauseMs);
    await assert.rejects(download(later, customer.account, id), refused('results_expired'));
  });

  test('are one for each run of a schedule', async (t) => {
    let passedMs = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + passedMs };
    const under = await open(t);
    const node = await under.node({ ...real, clock, services: { pages: async () => recordedPages() } });
    const customer = await node.customer();
    const first = await makeArchived(node, customer, { schedule: { every: '6h' } });
    await awaitJob(node, customer, first);
    passedMs = 6 * 3_600_000;
    node.jobs.wake();
    const runs = async () => (await node.jobs.store.list(customer.account, 10, undefined)).jobs;
    await until(async () => (await runs()).length === 2, pauseMs);
    const archived = new Set<string>();
    for (const { id } of await runs()) {
      await awaitJob(node, customer, id);
      const bytes = await download(node, customer.account, id);
      assert.deepEqual(await verdicts(bytes, await linesOf(node, customer, id)), equal);
      archived.add(bytes.toString('base64'));
    }
    assert.equal(archived.size, 2);
  });

  test('go with their account, of a job that has ended and of one that runs', async (t) => {
    const under = await open(t);
    let fetched = 0;
    let isHeld = false;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const pages = recordedPages(() => (isHeld && ++fetched > 2 ? held : undefined));
    const node = await under.node({ ...real, services: { pages: async () => pages } });
    const customer = await node.customer();
    const ended = await makeArchived(node, customer);
    await awaitJob(node, customer, ended);
    await download(node, customer.account, ended);
    isHeld = true;
    await makeArchived(node, customer);
    await until(() => fetched > 2, pauseMs);
    const files = () => {
      const folder = path.join(node.home, 'jobs');
      return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('job_')) : [];
    };
    assert.ok((await under.kept()) > 0 && files().length > 0);
    await node.opened.accounts.delete(customer.account);
    await node.jobs.forgetDeleted();
    release();
    await node.close();
    assert.deepEqual([await under.kept(), files()], [0, []]);
  });

  test('are given without who is suppressed now, and lose her for good when she is forgotten', async (t) => {
    const under = await open(t);
    let suppressed: SuppressedSubjects | null = null;
    const services = { pages: async () => recordedPages(), suppressed: () => suppressed };
    const node = await under.node({ ...real, services });
    const customer = await node.customer();
    const id = await makeArchived(node, customer);
    await awaitJob(node, customer, id);
    const lines = await linesOf(node, customer, id);
    const whole = await download(node, customer.account, id);
    const [first] = (lines[0]?.data ?? []) as { username: string }[];
    const subject = parseSubject(`tiktok:@${first?.username}`);
    suppressed = new SuppressedSubjects([subject]);
    const without = await download(node, customer.account, id);
    const shown = await verdicts(without, lines);
    assert.equal(shown[0], 'missing');
    assert.ok(shown.includes('equal') && !shown.includes('differs'), shown.join());
    suppressed = null;
    assert.ok((await download(node, customer.account, id)).equals(whole));
    const uncounted = async () => (await node.jobs.storage.of(customer.account)) - (await under.kept());
    const beside = await uncounted();
    const receipt = await node.opened.forget(subject, new Traces([subject]));
    const found = receipt.find(({ place }) => place === 'archives of jobs');
    assert.ok((found?.removed ?? 0) > 0, JSON.stringify(receipt));
    assert.equal(await uncounted(), beside);
    const rest = await download(node, customer.account, id);
    assert.deepEqual(await verdicts(rest, lines), shown);
  });

  test('go on where a node stopped: no line is lost or doubled, and each finds its records', async (t) => {
    const under = await open(t);
    let fetched = 0;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const stopped = await under.node({
      ...real,
      services: {
        pages: async () => recordedPages(() => (++fetched > 2 ? held : undefined)),
      },
    });
    const customer = await stopped.customer();
    const id = await makeArchived(stopped, customer);
    await until(() => fetched > 2, pauseMs);
    await stopped.close();
    release();
    const node = await under.node({ ...real, services: { pages: async () => recordedPages() } });
    await awaitJob(node, customer, id);
    const lines = await linesOf(node, customer, id);
    assert.deepEqual(
      lines.map(({ input }) => JSON.stringify(input)),
      inputs,
    );
    assert.deepEqual(await verdicts(await download(node, customer.account, id), lines), equal);
  });
}
