import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../../../../lib/database/database.js';
import type { Queries } from '../../../../lib/database/queries.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { moveFile } from '../../../../lib/runtime/move-file.js';
import type { Traces } from '../../../../lib/suppressions/traces.js';
import { EvidenceReader } from '../../../files/evidence/evidence-reader.js';
import { EvidenceWriter } from '../../../files/evidence/evidence-writer.js';
import { namedRecords } from '../../../files/evidence/named-records.js';
import { unfinishedName } from '../../../files/evidence/segment.js';
import type { Job } from '../job.js';
import type { ResultsFiles } from './results-files.js';

/**
 * The WARC records that earlier versions stored of the platforms' responses to a job. Nothing is added; they are
 * deleted with the results.
 */
export interface ArchivedRecords {
  read(job: string): AsyncIterable<Buffer>;
  remove(job: string): Promise<unknown>;
}

export function recordsInFiles(files: ResultsFiles): ArchivedRecords {
  const fileOf = (job: string) => unfinishedName(files.archive(job));
  return {
    async *read(job) {
      const file = fileOf(job);
      if (existsSync(file)) yield* createReadStream(file) as AsyncIterable<Buffer>;
    },
    remove: (job) => rm(fileOf(job), { force: true }),
  };
}

export function recordsInRows(database: Database): ArchivedRecords {
  const next = `SELECT number, member FROM job_records WHERE job = $1 AND number > $2 ORDER BY number LIMIT 1`;
  return {
    async *read(job) {
      for (let after = 0; ; ) {
        const row = await database.read((queries) =>
          queries.first<{ readonly number: number; readonly member: Buffer }>(next, [job, after]),
        );
        if (row === undefined) return;
        after = row.number;
        yield row.member;
      }
    },
    remove: (job) =>
      database.write((queries) => queries.run('DELETE FROM job_records WHERE job = $1', [job])),
  };
}

const archivedJobs = async (queries: Queries) =>
  (
    await queries.rows<{ readonly id: string }>(
      'SELECT id FROM jobs WHERE deleted = 0 AND archive_bytes > 0 ORDER BY id',
    )
  ).map(({ id }) => id);

/** Moves records from files into a database, inside a transaction. */
export async function importRecords(
  queries: Queries,
  files: ResultsFiles,
  signal: AbortSignal,
): Promise<void> {
  const { read } = recordsInFiles(files);
  for (const job of await archivedJobs(queries)) {
    signal.throwIfAborted();
    for await (const piece of read(job))
      await queries.run(
        `INSERT INTO job_records (job, record, url, date, member) VALUES ($1, '', '', '', $2)`,
        [job, piece],
      );
  }
}

const writeRecords = (records: AsyncIterable<Buffer>, file: string) =>
  pipeline(Readable.from(records), createWriteStream(unfinishedName(file), { mode: 0o600 }));

async function names(file: string, traces: Traces): Promise<boolean> {
  const archive = await EvidenceReader.open(file);
  try {
    return (await namedRecords(archive, traces)).size > 0;
  } finally {
    await archive.close();
  }
}

/**
 * Writes the archive of a finished job to a .wacz file, atomically. Rejects `archive_not_found`, and
 * `subject_suppressed` if it mentions one of the traces.
 */
export async function writeEarlierArchive(
  { finished_at }: Pick<Job, 'finished_at'>,
  file: string,
  records: AsyncIterable<Buffer>,
  traces: Traces | null,
): Promise<void> {
  const draft = file.replace(/\.wacz$/, '.new.wacz');
  const now = Date.parse(finished_at ?? '');
  const removeDraft = async () => {
    for (const leftover of [draft, unfinishedName(draft)]) await rm(leftover, { force: true });
  };
  await removeDraft();
  try {
    await writeRecords(records, draft);
    if (traces !== null && (await names(draft, traces))) throw new ExtractError('subject_suppressed');
    const summary = await (await EvidenceWriter.open(draft, { now: () => now })).close();
    if (summary === null) throw new ExtractError('archive_not_found');
    await moveFile(draft, file);
  } finally {
    await removeDraft();
  }
}

/** Deletes the archives that mention a subject. Returns their number. */
export async function forgetInEarlierArchives(
  database: Database,
  { read, remove }: ArchivedRecords,
  traces: Traces,
): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'extract-forget-'));
  const file = path.join(folder, 'job.wacz');
  let removed = 0;
  try {
    for (const job of await database.read(archivedJobs)) {
      await writeRecords(read(job), file);
      if (!(await names(file, traces))) continue;
      await remove(job);
      await database.write((queries) =>
        queries.run('UPDATE jobs SET archive_bytes = 0, forgotten = forgotten + 1 WHERE id = $1', [job]),
      );
      removed += 1;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return removed;
}
