import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { writeFailure } from '../../../lib/errors/storage-error.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { lockFile } from '../../../lib/runtime/file-lock.js';
import { moveFile } from '../../../lib/runtime/move-file.js';
import type { Traces } from '../../../lib/suppressions/traces.js';
import { ArchiveReader } from './archive-reader.js';
import { ArchiveWriter, unfinishedName } from './archive-writer.js';
import { bodyOf } from './derive.js';
import { answerWithBody, type StoredBody } from './exchange-records.js';
import { gzipMember } from './gzip-member.js';
import { namedRecords, nameOf } from './named-records.js';
import { recordId, type WarcRecord } from './warc-record.js';

/**
 * The records that stay, as they are stored. The first one that has lost its body, because the record with it goes, gets the
 * body, and the next ones refer to that.
 */
async function* keptMembers(archive: ArchiveReader, gone: ReadonlySet<string>) {
  const moved = new Map<string, StoredBody>();
  for await (const { record, member } of archive.records()) {
    if (gone.has(nameOf(record))) continue;
    const { fields } = record;
    if (!gone.has(recordId(fields.get('warc-refers-to')))) {
      yield member;
      continue;
    }
    const digest = fields.get('warc-payload-digest') ?? '';
    const body = moved.get(digest) ?? (await bodyOf(archive, record, Buffer.alloc(0)));
    if (Buffer.isBuffer(body)) moved.set(digest, storedBy(record));
    yield await gzipMember(answerWithBody(record, body));
  }
}

const storedBy = ({ fields }: WarcRecord): StoredBody => ({
  id: recordId(fields.get('warc-record-id')),
  url: fields.get('warc-target-uri') ?? '',
  date: fields.get('warc-date') ?? '',
});

/** Writes what stays of an archive as a killed run leaves one, and gives how many records went; null for all that stays. */
async function writeRest(file: string, traces: Traces, draft: string): Promise<number | null> {
  const archive = await ArchiveReader.open(file);
  try {
    const gone = await namedRecords(archive, traces);
    if (gone.size === 0) return null;
    const handle = await open(draft, 'w', 0o600);
    let remaining = 0;
    try {
      for await (const member of keptMembers(archive, gone)) {
        await handle.writeFile(member);
        remaining += 1;
      }
      // It may take the place of the file that it was made of.
      await handle.sync();
    } finally {
      await handle.close();
    }
    return archive.index.countRecords() - remaining;
  } finally {
    await archive.close();
  }
}

/**
 * Takes a subject out of an archive, with what a killed run left beside it, and gives how many records went. The file is
 * the old or the new one, never half. Throws `invalid_parameter` for one that was changed, or that a process writes.
 */
export async function forgetInArchive(
  given: string,
  traces: Traces,
  clock: Pick<Clock, 'now'>,
): Promise<number> {
  const file = path.resolve(given);
  const lock = await lockFile(`${file}.lock`);
  if (lock === null)
    throw new ExtractError('invalid_parameter', `Another process writes the archive ${given}.`);
  const draft = file.replace(/(\.wacz)?$/, '.forget.wacz');
  const drop = async (...names: readonly string[]) => {
    for (const name of names) await rm(name, { force: true });
  };
  const drafts = [draft, unfinishedName(draft), `${draft}.part`];
  try {
    // Nobody else works on it: what stands in these was left by a process that was killed.
    await drop(`${file}.part`, ...drafts);
    const removed = await writeRest(file, traces, unfinishedName(draft));
    if (removed === null) return 0;
    await (await ArchiveWriter.open(draft, clock)).close();
    await moveFile(draft, file);
    await drop(unfinishedName(file));
    return removed;
  } catch (cause) {
    await drop(...drafts);
    if (cause instanceof ExtractError) throw cause;
    throw writeFailure(`The archive ${given} cannot be written`, cause);
  } finally {
    lock.remove();
  }
}

/**
 * The same of the records that stand in no archive yet, which stay such. Gives how many went; null where a process writes
 * them now.
 */
export async function forgetInUnfinished(given: string, traces: Traces): Promise<number | null> {
  const file = unfinishedName(path.resolve(given));
  const lock = await lockFile(`${path.resolve(given)}.lock`);
  if (lock === null) return null;
  const draft = `${file}.forget`;
  try {
    const removed = await writeRest(given, traces, draft);
    if (removed !== null) await moveFile(draft, file);
    return removed ?? 0;
  } finally {
    await rm(draft, { force: true });
    lock.remove();
  }
}
