import { existsSync } from 'node:fs';
import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import type { Database } from '../../../../lib/database/database.js';
import { StorageError } from '../../../../lib/errors/storage-error.js';
import { accountTurns } from '../../../../lib/runtime/account-turns.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { namesIn } from '../../../../lib/runtime/names-in.js';
import { readAt } from '../../../../lib/runtime/read-at.js';
import type { JobRow } from '../job-row.js';
import { resultsDay } from '../results-day.js';
import { measureLines, writeLines } from './results-schema.js';

/** Lines and bytes per transaction, and the milliseconds that it blocks the event loop. */
const [maxLines, maxBytes, pieceMs] = [500, 512 * 1024, 4];
/** Milliseconds between checks of files that another process moves. */
const pollMs = 100;
/** Bytes of the lines file per checksum. */
const blockBytes = 64 * 1024;

/** Extensions of the line files of 0.1.0 and later builds, which the next release will no longer read. */
const endings = ['ndjson', 'late', 'index', 'sums'] as const;

export const isEarlierFile = (name: string) => endings.some((ending) => name.endsWith(`.${ending}`));

/** Returns the jobs of a data directory whose lines are in files. */
export async function earlierJobs(home: string): Promise<readonly string[]> {
  const names = await namesIn(path.join(home, 'jobs'));
  return [...new Set(names.flatMap((name) => /^(job_\w+)\.(?:ndjson|late)$/.exec(name)?.[1] ?? []))];
}

export interface EarlierResultsOptions {
  readonly home: string;
  readonly database: Database;
  readonly results: Database;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly onError: (job: string, cause: unknown) => void;
}

/**
 * Moves the lines of jobs from earlier versions' files into rows. A job's files are deleted once its rows were counted,
 * and a killed move is repeated. Only the process with the lock of the jobs moves them.
 */
export class EarlierResults {
  readonly #options: EarlierResultsOptions;
  #isStarted = false;
  readonly #moves = new Map<string, Promise<void>>();
  #isDone = false;

  constructor(options: EarlierResultsOptions) {
    this.#options = options;
  }

  /** Resolves once a job's lines are rows: waits until this process holds the lock, or another one has moved them. */
  async ready(id: string): Promise<void> {
    if (this.#isDone) return;
    while (this.#hasFiles(id)) {
      if (this.#isStarted) return this.#moveOnce(id);
      await this.#options.clock.sleep(pollMs);
    }
  }

  /** Moves the lines of all jobs. Reports damaged ones, and leaves their files untouched. */
  async moveAll(signal: AbortSignal): Promise<void> {
    this.#isStarted = true;
    let isDone = true;
    for (const id of await earlierJobs(this.#options.home)) {
      if (signal.aborted) return;
      await this.#moveOnce(id).catch((cause: unknown) => {
        isDone = false;
        this.#options.onError(id, cause);
      });
    }
    this.#isDone = isDone;
  }

  #moveOnce(id: string): Promise<void> {
    const move = this.#moves.get(id) ?? this.#move(id).finally(() => this.#moves.delete(id));
    this.#moves.set(id, move);
    return move;
  }

  async #move(id: string): Promise<void> {
    if (!this.#hasFiles(id)) return;
    const { database } = this.#options;
    const row = await database.read((queries) =>
      queries.first<JobRow>('SELECT * FROM jobs WHERE id = $1 AND deleted = 0', [id]),
    );
    if (row !== undefined && !(await this.#isMoved(row))) {
      await this.#moveLines(row);
      if (!(await this.#isMoved(row))) throw damaged(this.#file(id, 'ndjson'));
    }
    await database.write((queries) => queries.run('UPDATE jobs SET late_bytes = 0 WHERE id = $1', [id]));
    for (const ending of endings) await rm(this.#file(id, ending), { force: true });
  }

  /** Returns true if all lines of a job are rows, with the number and bytes in the job's row. */
  async #isMoved(row: JobRow): Promise<boolean> {
    const { results } = this.#options;
    const measure = (to: number) =>
      results.read((queries) => measureLines(queries, resultsDay(row.created_at), row.id, 0, to));
    const ordered = await measure(row.lines);
    if (ordered.lines !== row.lines || ordered.bytes !== row.bytes) return false;
    // Cancelled inputs end before their lines are written, so the late lines cannot be counted.
    if (row.status === 'cancelled') return row.late_bytes === 0 || !existsSync(this.#file(row.id, 'late'));
    return (await measure(row.total)).lines === row.completed + row.failed;
  }

  async #moveLines(row: JobRow): Promise<void> {
    const { results } = this.#options;
    const day = resultsDay(row.created_at);
    let piece = new Map<number, string>();
    let bytes = 0;
    const flush = async () => {
      await accountTurns.next('', pieceMs);
      await results.transaction((queries) => writeLines(queries, day, row.id, piece));
      piece = new Map();
      bytes = 0;
    };
    for await (const [place, line] of this.#lines(row)) {
      piece.set(place, line.toString());
      bytes += line.length;
      if (piece.size >= maxLines || bytes >= maxBytes) await flush();
    }
    await flush();
    // The late lines of a cancelled job are all written now; after a kill, their missing file proves it.
    if (row.status === 'cancelled') await rm(this.#file(row.id, 'late'), { force: true });
  }

  async *#lines(row: JobRow): AsyncGenerator<readonly [number, Buffer], void, undefined> {
    if (row.lines > 0) yield* this.#orderedLines(row);
    if (row.late_bytes > 0) yield* this.#lateLines(row);
  }

  async *#orderedLines({ id, lines, total, bytes }: JobRow) {
    const file = this.#file(id, 'ndjson');
    const isIntact = lines === total ? await this.#finishedSums(id, bytes) : await this.#runningSums(id);
    const handle = await openFile(file);
    try {
      let index = 0;
      let rest = Buffer.alloc(0);
      for (let at = 0; at < bytes; at += blockBytes) {
        const block = await readExactly(handle, Math.min(blockBytes, bytes - at), at, file);
        if (!isIntact(at / blockBytes, block)) throw damaged(file);
        rest = Buffer.concat([rest, block]);
        for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
          yield [index, rest.subarray(0, end + 1)] as const;
          index += 1;
          rest = rest.subarray(end + 1);
        }
      }
    } finally {
      await handle.close();
    }
  }

  /**
   * Returns the checksums of a finished job. Its index has the end of each line (8 bytes each), the CRC-32 of each
   * block, and 16 bytes that end with a mark. An index of 0.1.0 has no checksums.
   */
  async #finishedSums(id: string, bytes: number) {
    const file = this.#file(id, 'index');
    const index = await readFile(file).catch(() => Buffer.alloc(0));
    if (!index.subarray(-8).equals(Buffer.from('LINESUM1'))) return () => true;
    const tail = index.length - 16;
    if (index.readUInt32LE(tail + 4) !== crc32(index.subarray(0, tail + 4))) throw damaged(file);
    const first = tail - Math.ceil(bytes / blockBytes) * 4;
    return (at: number, block: Buffer) => index.readUInt32LE(first + at * 4) === crc32(block);
  }

  /** Returns the checksums of a running job: per block, the number of bytes covered and their CRC-32. */
  async #runningSums(id: string) {
    const sums = await readFile(this.#file(id, 'sums')).catch(() => Buffer.alloc(0));
    return (at: number, block: Buffer) => {
      if (sums.length < at * 8 + 8) return true;
      const length = sums.readUInt32LE(at * 8);
      // The record is newer than the ledger, as in a backup.
      if (length === 0 || length > block.length) return true;
      return sums.readUInt32LE(at * 8 + 4) === crc32(block.subarray(0, length));
    };
  }

  /**
   * Yields pairs of an input's index and its line's length (32 bits each); if the highest bit of the index is set, a
   * CRC-32 follows.
   */
  async *#lateLines({ id, lines, late_bytes: end }: JobRow) {
    const file = this.#file(id, 'late');
    const handle = await openFile(file);
    try {
      for (let at = 0; at < end; ) {
        const head = await readExactly(handle, 8, at, file);
        const isSummed = head.readUInt32LE(0) >= 0x80000000;
        const index = head.readUInt32LE(0) % 0x80000000;
        const from = at + (isSummed ? 12 : 8);
        const line = await readExactly(handle, head.readUInt32LE(4), from, file);
        if (isSummed) {
          head.writeUInt32LE(index, 0);
          const sum = (await readExactly(handle, 4, at + 8, file)).readUInt32LE(0);
          if (sum !== crc32(line, crc32(head))) throw damaged(file);
        }
        if (index >= lines) yield [index, line] as const;
        at = from + line.length;
      }
    } finally {
      await handle.close();
    }
  }

  #hasFiles(id: string): boolean {
    return endings.some((ending) => existsSync(this.#file(id, ending)));
  }

  #file(id: string, ending: (typeof endings)[number]): string {
    return path.join(this.#options.home, 'jobs', `${id}.${ending}`);
  }
}

const damaged = (file: string, cause?: unknown) =>
  new StorageError(
    'damaged',
    `${file} does not contain the lines that were written to it. Restore it from a backup: the next start moves it.`,
    { cause },
  );

function openFile(file: string): Promise<FileHandle> {
  return open(file, 'r').catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'ENOENT' ? damaged(file, cause) : cause;
  });
}

function readExactly(handle: FileHandle, length: number, at: number, file: string): Promise<Buffer> {
  return readAt(handle, length, at).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === undefined ? damaged(file, cause) : cause;
  });
}
