import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { Database } from '../../../../lib/database/database.js';
import type { Queries } from '../../../../lib/database/queries.js';
import { StorageError } from '../../../../lib/errors/storage-error.js';
import type { JobRow } from '../job-row.js';
import { resultsDay } from '../results-day.js';
import { type LineRow, measureLines } from './results-schema.js';

/** Maximum bytes and lines per read; other work runs in between. */
const [maxBytes, maxLines] = [256 * 1024, 500];

export type ResultsOf = Pick<JobRow, 'id' | 'created_at' | 'lines' | 'bytes'>;

/** The contiguous lines of a job, as counted in its row. They never change. */
export class ResultRows {
  readonly #database: Database;
  readonly #id: string;
  readonly #day: number;

  constructor(database: Database, job: ResultsOf) {
    this.#database = database;
    this.#id = job.id;
    this.#day = resultsDay(job.created_at);
  }

  /** Yields the lines from one index to another, in batches. */
  async *lines(from: number, to: number): AsyncGenerator<readonly Buffer[], void, undefined> {
    for (let index = from; index < to; ) {
      const rows = await this.#piece(index, Math.min(to, index + maxLines));
      if (rows[0]?.place !== index) throw this.#missingLines();
      index += rows.length;
      yield rows.map((row) => this.#checked(row));
      // A data directory responds synchronously; without yielding, one turn would read everything.
      if (index < to) await setImmediate();
    }
  }

  /** Yields the bytes between two positions, out of so many lines. */
  async *bytes(from: number, to: number, lines: number): AsyncGenerator<Buffer, void, undefined> {
    if (from >= to) return;
    const { place, begins } = from === 0 ? { place: 0, begins: 0 } : await this.#lineAt(from, lines);
    let position = begins;
    for await (const piece of this.lines(place, lines)) {
      const bytes = Buffer.concat(piece);
      yield bytes.subarray(Math.max(0, from - position), Math.max(0, to - position));
      position += bytes.length;
      if (position >= to) return;
    }
    throw this.#missingLines();
  }

  /** Yields the lines at some indexes, in the given order. */
  async *pick(indexes: readonly number[]): AsyncGenerator<Buffer, void, undefined> {
    for (let at = 0; at < indexes.length; at += 50) {
      const some = indexes.slice(at, at + 50);
      const rows = await this.#read((queries) =>
        queries.rows<LineRow>(
          `SELECT place, line, crc FROM job_results WHERE day = $1 AND job = $2 AND place ${queries.dialect.anyOf('$3')}`,
          [this.#day, this.#id, some],
        ),
      );
      const lines = new Map(rows.map((row) => [row.place, row]));
      for (const index of some) {
        const row = lines.get(index);
        if (row === undefined) throw this.#missingLines();
        yield this.#checked(row);
      }
    }
  }

  async bytesBefore(index: number): Promise<number> {
    return (await this.#read((queries) => measureLines(queries, this.#day, this.#id, 0, index))).bytes;
  }

  async #lineAt(
    position: number,
    lines: number,
  ): Promise<{ readonly place: number; readonly begins: number }> {
    const row = await this.#read((queries) =>
      queries.first<{ readonly place: number; readonly begins: number }>(
        `SELECT place, ends - size AS begins FROM (
           SELECT place, size, sum(size) OVER (ORDER BY place) AS ends FROM (
             SELECT place, octet_length(line) AS size FROM job_results WHERE day = $1 AND job = $2 AND place < $3
           ) AS lines
         ) AS sizes WHERE ends > $4 ORDER BY place LIMIT 1`,
        [this.#day, this.#id, lines, position],
      ),
    );
    if (row === undefined) throw this.#missingLines();
    return row;
  }

  /** Reads as many lines from an index as allowed at a time, at least one. */
  #piece(from: number, to: number): Promise<LineRow[]> {
    return this.#read((queries) =>
      queries.rows<LineRow>(
        {
          name: 'job_results_piece',
          // Sizes are computed before they are summed: SQLite copies the columns that a window names, which would
          // include the lines.
          text: `SELECT place, line, crc FROM job_results
                 WHERE day = $1 AND job = $2 AND place >= $3 AND place < (
                   SELECT coalesce(min(place), $4) FROM (
                     SELECT place, sum(size) OVER (ORDER BY place) - size AS before FROM (
                       SELECT place, octet_length(line) AS size FROM job_results
                       WHERE day = $1 AND job = $2 AND place >= $3 AND place < $4
                     ) AS lines
                   ) AS sizes WHERE before >= $5
                 ) ORDER BY place`,
        },
        [this.#day, this.#id, from, to, maxBytes],
      ),
    );
  }

  /** Returns the bytes of a line. Throws `damaged` if the checksum differs. */
  #checked({ place, line, crc }: LineRow): Buffer {
    const bytes = Buffer.from(line);
    if (crc === null || crc === crc32(bytes)) return bytes;
    throw new StorageError(
      'damaged',
      `Line ${place + 1} of the results of ${this.#id} has been altered. Restore the results from a backup.`,
    );
  }

  /** The lines expired or their account was deleted while they were read, or their file was replaced. */
  #missingLines(): StorageError {
    return new StorageError(
      'damaged',
      `Lines of the results of ${this.#id} are missing. Unless they have just expired, restore the results from a backup.`,
    );
  }

  #read<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#database.read(work);
  }
}
