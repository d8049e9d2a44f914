import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import type { DirectoryStore } from '../../../src/compose/open-store.js';
import type { JobRow } from '../../../src/service/jobs/job-row.js';

const blockBytes = 64 * 1024;

/** An index of 0.1.0 and later: where each line ends, the sum of each block, the number of lines, a sum of all this, a mark. */
function indexOf(lines: readonly Buffer[]): Buffer {
  const all = Buffer.concat(lines);
  const sums = sumsOf(all);
  const bytes = Buffer.alloc(lines.length * 8 + sums.length * 4 + 16);
  let end = 0;
  lines.forEach((line, at) => {
    end += line.length;
    bytes.writeDoubleLE(end, at * 8);
  });
  sums.forEach(({ sum }, at) => {
    bytes.writeUInt32LE(sum, lines.length * 8 + at * 4);
  });
  const tail = bytes.length - 16;
  bytes.writeUInt32LE(lines.length, tail);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, tail + 4)), tail + 4);
  bytes.write('LINESUM1', tail + 8);
  return bytes;
}

function sumsOf(all: Buffer): readonly { readonly length: number; readonly sum: number }[] {
  return Array.from({ length: Math.ceil(all.length / blockBytes) }, (_, block) => {
    const part = all.subarray(block * blockBytes, (block + 1) * blockBytes);
    return { length: part.length, sum: crc32(part) };
  });
}

function lateRecord(index: number, line: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt32LE(index, 0);
  head.writeUInt32LE(line.length, 4);
  head.writeUInt32LE(crc32(line, crc32(head.subarray(0, 8))), 8);
  head.writeUInt32LE((index | 0x80000000) >>> 0, 0);
  return Buffer.concat([head, line]);
}

/** Moves the result lines of a directory's jobs from rows to files of earlier versions. Returns the jobs' IDs. */
export async function writeEarlierFiles(
  home: string,
  { database: { stores }, results }: Pick<DirectoryStore, 'database' | 'results'>,
): Promise<readonly string[]> {
  const folder = path.join(home, 'jobs');
  mkdirSync(folder, { recursive: true });
  const jobs = await stores.read((queries) => queries.rows<JobRow>('SELECT * FROM jobs ORDER BY id'));
  for (const { id, lines: count, total } of jobs) {
    const sql = 'SELECT place, line FROM job_results WHERE job = $1 ORDER BY place';
    const rows = await results.read((queries) => queries.rows<{ place: number; line: string }>(sql, [id]));
    const lines = rows.map(({ place, line }) => ({ place, line: Buffer.from(line) }));
    const ordered = lines.filter(({ place }) => place < count).map(({ line }) => line);
    const late = Buffer.concat(
      lines.filter(({ place }) => place >= count).map(({ place, line }) => lateRecord(place, line)),
    );
    const all = Buffer.concat(ordered);
    const write = (ending: string, bytes: Buffer) =>
      writeFileSync(path.join(folder, `${id}.${ending}`), bytes);
    if (count === total) write('index', indexOf(ordered));
    else {
      const sums = sumsOf(all).map(({ length, sum }) => {
        const record = Buffer.alloc(8);
        record.writeUInt32LE(length, 0);
        record.writeUInt32LE(sum, 4);
        return record;
      });
      write('sums', Buffer.concat(sums));
    }
    // What a killed process wrote behind the extent counts for nothing.
    write('ndjson', Buffer.concat([all, Buffer.from(count === total ? '' : '{"torn')]));
    if (late.length > 0) write('late', late);
    const update = 'UPDATE jobs SET late_bytes = $2 WHERE id = $1';
    await stores.write((queries) => queries.run(update, [id, late.length]));
  }
  await results.write((queries) => queries.run('DELETE FROM job_results'));
  return jobs.map(({ id }) => id);
}
