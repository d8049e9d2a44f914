import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Postgres } from '../../../../../lib/database/postgres/postgres.js';
import type { Queries } from '../../../../../lib/database/queries.js';
import type { Traces } from '../../../../../lib/suppressions/traces.js';
import { unfinishedName } from '../../../../files/archive/archive-writer.js';
import { forgetInUnfinished } from '../../../../files/archive/forget-in-archive.js';
import { lockJob } from '../../job-rows.js';
import { importRecords } from './import-records.js';
import { readRecords } from './record-rows.js';

/**
 * Takes a subject out of the archives of a database, each in a transaction of its own, and gives how many records went.
 * Nobody adds to an archive meanwhile.
 */
export async function forgetInRecordRows(postgres: Postgres, traces: Traces): Promise<number> {
  const jobs = await postgres.read((queries) =>
    queries.rows<{ readonly job: string }>('SELECT DISTINCT job FROM job_records ORDER BY job'),
  );
  let removed = 0;
  for (const { job } of jobs)
    removed += await postgres.transaction(async (queries) => {
      await lockJob(queries, job);
      return forgetInJob(queries, job, traces);
    });
  return removed;
}

/** The records are compressed: they are looked through as a file. */
async function forgetInJob(queries: Queries, job: string, traces: Traces): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'extract-forget-'));
  try {
    const archive = path.join(folder, 'job.wacz');
    const records = readRecords((work) => work(queries), job);
    await pipeline(Readable.from(records), createWriteStream(unfinishedName(archive), { mode: 0o600 }));
    const removed = (await forgetInUnfinished(archive, traces)) ?? 0;
    if (removed === 0) return 0;
    await queries.run('DELETE FROM job_records WHERE job = $1', [job]);
    await importRecords(queries, unfinishedName(archive), job);
    await queries.run('UPDATE jobs SET forgotten = forgotten + 1 WHERE id = $1', [job]);
    return removed;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
