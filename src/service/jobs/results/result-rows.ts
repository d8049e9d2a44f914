import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { Database } from '../../../../lib/database/database.js';
import type { Queries } from '../../../../lib/database/queries.js';
import { StorageError } from '../../../../lib/errors/storage-error.js';
import type { JobRow } from '../job-row.js';
import { resultsDay } from '../results-day.js';
import { type LineRow, measureLines } from './results-schema.js';

/** Bytes of lines, and lines, that are read at once: others have their turn in between. */
const [maxBytes, maxLines] = [256 * 1024, 500];

/** The part of a job that reading its lines needs. */
export type ResultsOf = Pick<JobRow, 'id' | 'created_at' | 'lines' | 'bytes'>;

/** The lines of a job that follow each other without a gap, as far as its row says. They never change. */
export class ResultRows {
  readonly #database: Database;
  readonly #id: string;
  readonly #day: number;

  constructor(database: Database, job: ResultsOf) {
    this.#database = database;
    this.#id = job.id;
    this.#day = resultsDay(job.created_at);
  }

  /** Lines from one place up to another, in pieces. */
  async *lines(from: number, to: number): AsyncGenerator<readonly Buffer[], void, undefined> {
    for (let place = from; place < to; ) {
      const rows = await this.#piece(place, Math.min(to, place + maxLines));
      if (rows[0]?.place !== place) throw this.#gone();
      place += rows.length;
      yield rows.map((row) => this.#checked(row));
      // A data directory answers at once: without a turn, all pieces would be read in one.
      if (place < to) await setImmediate();
    }
  }

  /** The bytes from one position to another, of so many lines. */
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
    throw this.#gone();
  }

  /** Lines of some places, in the order in which they are named. */
  async *pick(places: readonly number[]): AsyncGenerator<Buffer, void, undefined> {
    for (let at = 0; at < places.length; at += 50) {
      const some = places.slice(at, at + 50);
      const rows = await this.#read((queries) =>
        queries.rows<LineRow>(
          `SELECT place, line, crc FROM job_results WHERE day = $1 AND job = $2 AND place ${queries.dialect.anyOf('$3')}`,
          [this.#day, this.#id, some],
        ),
      );
      const lines = new Map(rows.map((row) => [row.place, row]));
      for (const place of some) {
        const row = lines.get(place);
        if (row === undefined) throw this.#gone();
        yield this.#checked(row);
      }
    }
  }

  /** Bytes of the lines before a place. */
  async bytesBefore(place: number): Promise<number> {
    return (await this.#read((queries) => measureLines(queries, this.#day, this.#id, 0, place))).bytes;
  }

  /** The line that holds the byte at a position, and where it begins. */
  async #lineAt(
    position: number,
    lines: number,
  ): Promise<{ readonly place: number; readonly begins: number }> {
    const found = await this.#read((queries) =>
      queries.first<{ readonly place: number; readonly begins: number }>(
        `SELECT place, ends - size AS begins FROM (
           SELECT place, size, sum(size) OVER (ORDER BY place) AS ends FROM (
             SELECT place, octet_length(line) AS size FROM job_results WHERE day = $1 AND job = $2 AND place < $3
           ) AS lines
         ) AS sizes WHERE ends > $4 ORDER BY place LIMIT 1`,
        [this.#day, this.#id, lines, position],
      ),
    );
    if (found === undefined) throw this.#gone();
    return found;
  }

  /** Lines from a place on, as many as may be read at once; at least one. */
  #piece(from: number, to: number): Promise<LineRow[]> {
    return this.#read((queries) =>
      queries.rows<LineRow>(
        {
          name: 'job_results_piece',
          // The sizes are taken before they are summed: SQLite copies the columns that a window names, and so the lines.
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

  /** The bytes of a line. Throws `damaged` unless they are those that were written. */
  #checked({ place, line, crc }: LineRow): Buffer {
    const bytes = Buffer.from(line);
    if (crc === null || crc === crc32(bytes)) return bytes;
    throw new StorageError(
      'damaged',
      `Line ${place + 1} of the results of ${this.#id} is not what was written. Put the results back from a backup.`,
    );
  }

  /** For lines that expired, or whose account was deleted, while they were read; and for those of a file that was replaced. */
  #gone(): StorageError {
    return new StorageError(
      'damaged',
      `Lines of the results of ${this.#id} are gone. Unless they expired just now, put the results back from a backup.`,
    );
  }

  #read<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#database.read(work);
  }
}
