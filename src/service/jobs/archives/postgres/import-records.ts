import { stat } from 'node:fs/promises';
import type { Queries } from '../../../../../lib/database/queries.js';
import { SegmentReader } from '../../../../files/archive/segment.js';
import { addRecord, rowOf } from './record-rows.js';

/** Moves the records of a job's archive from a file into the database, as far as the file goes, and counts their bytes. */
export async function importRecords(queries: Queries, file: string, job: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  let bytes = 0;
  if (found !== null) {
    const reader = await SegmentReader.open({ name: '', file, start: 0, size: found.size });
    try {
      for await (const stored of reader.records()) {
        await addRecord(queries, job, rowOf(stored));
        bytes += stored.length;
      }
    } finally {
      await reader.close();
    }
  }
  await queries.run('UPDATE jobs SET archive_bytes = $2 WHERE id = $1', [job, bytes]);
}
