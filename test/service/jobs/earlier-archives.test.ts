// Archives of jobs that earlier versions kept.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { systemClock } from '../../../lib/runtime/clock.js';
import { casesOf } from '../../../lib/samples.js';
import { parseSubject } from '../../../lib/suppressions/subject.js';
import { SuppressedSubjects } from '../../../lib/suppressions/suppressed-subjects.js';
import { Traces } from '../../../lib/suppressions/traces.js';
import { importDirectory } from '../../../src/compose/import-directory.js';
import { EvidenceWriter } from '../../../src/files/evidence/evidence-writer.js';
import { unfinishedName } from '../../../src/files/evidence/segment.js';
import { serverOperator } from '../../../src/service/audit/audit-store.js';
import type { Jobs } from '../../../src/service/jobs/open-jobs.js';
import { ResultsFiles } from '../../../src/service/jobs/results/results-files.js';
import { archiveIn, lineOfCase, shortvideoProfile, verdicts } from '../../files/evidence/harness.js';
import { stoppedClock } from '../../support/cases.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { databaseHarness } from './database-harness.js';
import { awaitJob, type Customer, type JobsHarness, jobsHarness, makeJob } from './harness.js';

/** The records of one answer as a server kept them, and the line that was read from them. */
let records: Buffer;
let line: string;
before(async () => {
  const file = archiveIn(temporaryFolder());
  const writer = await EvidenceWriter.open(file, stoppedClock);
  const [first] = await casesOf(shortvideoProfile);
  assert.ok(first);
  line = await lineOfCase(writer, shortvideoProfile, first);
  records = readFileSync(unfinishedName(file));
  await writer.close();
});

const refused = (code: string) => (error: { code?: string }) => error.code === code;

/** A finished job of a directory whose archive an earlier version kept. */
async function keptInDirectory(all: JobsHarness, customer: Customer): Promise<string> {
  const id = await makeJob(all, customer, ['one'], { endpoint: shortvideoProfile.path });
  await awaitJob(all, customer, id);
  const files = new ResultsFiles(all.home);
  mkdirSync(files.folder, { recursive: true });
  writeFileSync(unfinishedName(files.archive(id)), records);
  const sql = `UPDATE jobs SET archive_bytes = $2, line_options = '{"sources":true,"archive":true}' WHERE id = $1`;
  await all.opened.database.stores.write((queries) => queries.run(sql, [id, records.length]));
  return id;
}

async function archiveOf({ jobs }: { readonly jobs: Jobs }, { account }: Customer, id: string) {
  const { handle } = await jobs.downloads.open(account, id, 'wacz');
  const file = path.join(temporaryFolder(), 'job.wacz');
  writeFileSync(file, await handle.readFile());
  await handle.close();
  return file;
}

const subject = () => parseSubject(`tiktok:@${JSON.parse(line).input.username}`);

describe('an archive of an earlier version', () => {
  test('is hidden while it names a suppressed subject, and deleted when that is forgotten', async (t) => {
    let suppressed: SuppressedSubjects | null = null;
    const all = await jobsHarness(t, {
      endpoints: [shortvideoProfile],
      services: { suppressed: () => suppressed },
    });
    const customer = await all.customer();
    const id = await keptInDirectory(all, customer);
    const kept = unfinishedName(new ResultsFiles(all.home).archive(id));
    const [verdict] = await verdicts(await archiveOf(all, customer, id), [line]);
    assert.equal(verdict?.status, 'equal');
    const job = await all.jobs.store.find(customer.account, id);
    assert.deepEqual([job.sources, 'archive' in job], [true, false]);
    suppressed = new SuppressedSubjects([subject()]);
    await assert.rejects(archiveOf(all, customer, id), refused('subject_suppressed'));
    suppressed = null;
    const before = await all.jobs.storage.of(customer.account);
    const nobody = parseSubject('tiktok:@nobodyelse');
    await all.opened.forget(nobody, new Traces([nobody]));
    assert.ok(existsSync(kept));
    const receipt = await all.opened.forget(subject(), new Traces([subject()]));
    assert.equal(receipt.find(({ place }) => place === 'archives of jobs')?.removed, 1);
    assert.deepEqual(
      [existsSync(kept), before - (await all.jobs.storage.of(customer.account))],
      [false, records.length],
    );
    await assert.rejects(archiveOf(all, customer, id), refused('archive_not_found'));
  });

  test('is deleted with the results', async (t) => {
    let passedMs = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + passedMs };
    const all = await jobsHarness(t, { clock });
    const customer = await all.customer();
    const id = await keptInDirectory(all, customer);
    await all.close();
    passedMs = 8 * 24 * 3_600_000;
    const later = await jobsHarness(t, { clock, home: all.home });
    const kept = unfinishedName(new ResultsFiles(all.home).archive(id));
    while (existsSync(kept)) await new Promise(setImmediate);
    await assert.rejects(archiveOf(later, customer, id), refused('results_expired'));
  });

  test('moves into a database, which also serves and forgets it', {
    skip: skipWithoutPostgres,
  }, async (t) => {
    const directory = await jobsHarness(t, { endpoints: [shortvideoProfile] });
    const customer = await directory.customer();
    const id = await keptInDirectory(directory, customer);
    await directory.close();
    const database = await databaseHarness(t);
    await importDirectory({
      ...{ operator: serverOperator, home: directory.home, config: database.config, clock: systemClock },
      signal: new AbortController().signal,
    });
    const node = await database.node({ endpoints: [shortvideoProfile] });
    const [verdict] = await verdicts(await archiveOf(node, customer, id), [line]);
    assert.equal(verdict?.status, 'equal');
    const receipt = await node.opened.forget(subject(), new Traces([subject()]));
    assert.equal(receipt.find(({ place }) => place === 'archives of jobs')?.removed, 1);
    assert.deepEqual(await database.rows('SELECT 1 FROM job_records'), []);
    await assert.rejects(archiveOf(node, customer, id), refused('archive_not_found'));
  });
});
