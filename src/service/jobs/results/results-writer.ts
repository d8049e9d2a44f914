import { readAt } from '../../../../lib/runtime/read-at.js';
import type { Extent } from '../job.js';
import { BlockSums } from './block-sums.js';
import {
  type OutOfOrderLine,
  outOfOrderRecord,
  readOutOfOrderLine,
  readOutOfOrderRecords,
} from './out-of-order-lines.js';
import { Appender, chunksAt, writeAt } from './positioned.js';
import type { ResultsFiles, ResultsHandle } from './results-files.js';
import { indexBytes } from './results-index.js';
import { intactBytes, writeRunningSums } from './running-sums.js';

/** A file of results holds less than was written to it. */
export class LostLines extends Error {}

/** The result of an append, until it is adopted. */
interface Append {
  readonly to: Extent;
  readonly ends: readonly number[];
  readonly sums: BlockSums;
  readonly late: ReadonlyMap<number, OutOfOrderLine>;
}

/** An input of the job as JSON text. */
type InputOf = (index: number) => Promise<string>;

const lineFeed = 0x0a;

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Resolves once all of them have; rejects as the first that failed, and not before the last has ended. */
async function allDone(works: readonly Promise<void>[]): Promise<void> {
  for (const ended of await Promise.allSettled(works)) if (ended.status === 'rejected') throw ended.reason;
}

/**
 * The files of one job's results. Lines come in any order. The next lines in input order are appended. The others
 * wait in a file of their own, so that no written line is ever lost. An append counts only when it is adopted, after
 * the transaction that moves the job's extent. Bytes behind the extent, torn or whole, are written over.
 */
export class ResultsWriter {
  readonly #files: ResultsFiles;
  readonly #id: string;
  readonly #total: number;
  #extent: Extent;
  /** Where each line ends. */
  readonly #ends: number[];
  /** The sums are taken of the lines as they were written, not as they are read again. */
  #sums = new BlockSums();
  readonly #late: Map<number, OutOfOrderLine>;
  #draft: Append | undefined;

  private constructor(files: ResultsFiles, id: string, total: number, extent: Extent) {
    this.#files = files;
    this.#id = id;
    this.#total = total;
    this.#extent = extent;
    this.#ends = [];
    this.#late = new Map();
  }

  /**
   * Takes up a job's files where its extent says they are. Where they hold less than that, the writer's own extent ends
   * with what is there. Rejects with what the file system says of a file that cannot be opened or read.
   */
  static async open(
    files: ResultsFiles,
    id: string,
    total: number,
    extent: Extent,
    inputOf: InputOf,
  ): Promise<ResultsWriter> {
    const writer = new ResultsWriter(files, id, total, extent);
    if (extent.lines > 0 || extent.lateBytes > 0) await writer.#restore(inputOf);
    return writer;
  }

  get extent(): Extent {
    return this.#extent;
  }

  /** True when the last line is there. */
  get isWhole(): boolean {
    return this.#extent.lines === this.#total;
  }

  /** True for a line that is in one of the files. */
  has(index: number): boolean {
    return index < this.#extent.lines || this.#late.has(index);
  }

  /** Writes lines, each with its line feed, and makes them durable. Gives the extent that they make. */
  async append(lines: ReadonlyMap<number, Buffer>): Promise<Extent> {
    const opened: ResultsHandle[] = [];
    const open = async (file: string) => {
      const handle = await this.#files.open(file);
      opened.push(handle);
      return handle;
    };
    try {
      await this.#checkSizes();
      const isNew = this.#extent.lines === 0 && this.#extent.lateBytes === 0;
      if (isNew) await this.#files.prepare();
      this.#draft = await this.#append(lines, open);
      // At once: the disk takes the files of a small job together.
      await allDone([
        ...opened.map((handle) => handle.datasync()),
        ...(isNew ? [this.#files.syncFolder()] : []),
      ]);
      return this.#draft.to;
    } finally {
      for (const handle of opened) await handle.close();
    }
  }

  /** Rejects `LostLines`: what is written behind the end of a file would leave a hole in it. */
  async #checkSizes(): Promise<void> {
    const { bytes, lateBytes } = this.#extent;
    const [lines, late] = [this.#files.lines(this.#id), this.#files.late(this.#id)];
    const isShort = async (file: string, least: number) =>
      least > 0 && (await this.#files.size(file)) < least;
    if ((await isShort(lines, bytes)) || (await isShort(late, lateBytes))) {
      throw new LostLines('A results file holds less than was written to it.');
    }
  }

  /** Counts the last append. */
  async applyCommitted(): Promise<void> {
    const draft = this.#draft;
    if (draft === undefined) return;
    this.#draft = undefined;
    const emptied = this.#extent.lateBytes > 0 && draft.to.lateBytes === 0;
    const summed = this.#extent.bytes;
    this.#extent = draft.to;
    this.#sums = draft.sums;
    for (const end of draft.ends) this.#ends.push(end);
    for (const [index, late] of draft.late) this.#late.set(index, late);
    for (const index of this.#late.keys()) if (index < draft.to.lines) this.#late.delete(index);
    if (emptied) await this.#files.removeLate(this.#id);
    // Lines that came all at once never had sums beside them.
    if (draft.to.lines === this.#total) {
      if (summed > 0) await this.#files.removeSums(this.#id).catch(() => undefined);
    } else if (draft.to.bytes > summed) await writeRunningSums(this.#files, this.#id, this.#sums, summed);
  }

  async #append(
    lines: ReadonlyMap<number, Buffer>,
    open: (file: string) => Promise<ResultsHandle>,
  ): Promise<Append> {
    const { lines: first, bytes, lateBytes } = this.#extent;
    const ends: number[] = [];
    let next = first;
    const sums = this.#sums.fork();
    let end = bytes;
    const ready = () => next < this.#total && (lines.has(next) || this.#late.has(next));
    if (ready()) {
      const handle = await open(this.#files.lines(this.#id));
      const appender = new Appender(handle, bytes);
      let lateFile: ResultsHandle | undefined;
      for (; ready(); next += 1) {
        let line = lines.get(next);
        if (line === undefined) {
          lateFile ??= await open(this.#files.late(this.#id));
          line = await readOutOfOrderLine(lateFile, next, this.#late.get(next) as OutOfOrderLine);
          if (line === undefined) throw new LostLines('A line that waited is not what was written.');
        }
        sums.add(line);
        await appender.add(line);
        ends.push(appender.end);
      }
      await appender.flush();
      end = appender.end;
      if (next === this.#total) {
        await handle.truncate(end);
        await this.#writeIndex([...this.#ends, ...ends], sums, open);
      }
    }
    const waits = [...lines].filter(([index]) => index >= next);
    const late = new Map<number, OutOfOrderLine>();
    let lateEnd = [...this.#late.keys()].some((index) => index >= next) ? lateBytes : 0;
    if (waits.length > 0) {
      const handle = await open(this.#files.late(this.#id));
      // Behind the extent, even where nothing of it is needed any more: this append may yet be dropped.
      const appender = new Appender(handle, lateBytes);
      for (const [index, line] of waits) {
        const { head, sum } = outOfOrderRecord(index, line);
        await appender.add(head);
        late.set(index, { position: appender.end, length: line.length, sum });
        await appender.add(line);
      }
      await appender.flush();
      lateEnd = appender.end;
    }
    return { to: { lines: next, bytes: end, lateBytes: lateEnd }, ends, sums, late };
  }

  async #writeIndex(
    ends: readonly number[],
    sums: BlockSums,
    open: (file: string) => Promise<ResultsHandle>,
  ): Promise<void> {
    const bytes = indexBytes(ends, sums.values);
    const handle = await open(this.#files.index(this.#id));
    await handle.truncate(bytes.length);
    await writeAt(handle, bytes, 0);
  }

  async #restore(inputOf: InputOf): Promise<void> {
    const { lines, bytes, lateBytes } = this.#extent;
    let intact = 0;
    await this.#read(this.#files.lines(this.#id), async (handle, size) => {
      let position = 0;
      for await (const chunk of chunksAt(handle, 0, Math.min(bytes, size))) {
        for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) {
          this.#ends.push(position + at + 1);
        }
        this.#sums.add(chunk);
        position += chunk.length;
      }
      intact = await intactBytes(this.#files, this.#id, this.#sums, handle);
    });
    // Lines that are not those that were written are as lost as those that are not there.
    const isWhole = this.#ends.length === lines && (this.#ends.at(-1) ?? 0) === bytes;
    if (!isWhole) this.#ends.length = await this.#intactLines(inputOf);
    while ((this.#ends.at(-1) ?? 0) > intact) this.#ends.pop();
    const intactExtent = { lines: this.#ends.length, bytes: this.#ends.at(-1) ?? 0 };
    if (intactExtent.bytes < this.#sums.bytes) await this.#sumAgain(intactExtent.bytes);
    let lateEnd = 0;
    if (lateBytes > 0) {
      await this.#read(this.#files.late(this.#id), async (handle, size) => {
        const end = Math.min(lateBytes, size);
        for await (const { index, late, isIntact } of readOutOfOrderRecords(handle, end)) {
          if (index >= this.#total || late.length === 0 || !isIntact) break;
          if (index >= intactExtent.lines) this.#late.set(index, late);
          lateEnd = late.position + late.length;
        }
      });
    }
    this.#extent = { ...intactExtent, lateBytes: lateEnd };
  }

  /** Sums of the lines that are kept. The stored sums include lines that are lost. */
  async #sumAgain(bytes: number): Promise<void> {
    await this.#files.removeSums(this.#id);
    this.#sums = new BlockSums();
    await this.#read(this.#files.lines(this.#id), async (handle) => {
      for await (const chunk of chunksAt(handle, 0, bytes)) this.#sums.add(chunk);
    });
    await writeRunningSums(this.#files, this.#id, this.#sums, 0);
  }

  /** How many lines from the beginning on are certain to be those of their inputs. */
  async #intactLines(inputOf: InputOf): Promise<number> {
    let intact = 0;
    await this.#read(this.#files.lines(this.#id), async (handle) => {
      for (const end of this.#ends.slice(0, this.#extent.lines)) {
        const from = this.#ends[intact - 1] ?? 0;
        const line = (await readAt(handle, end - from, from)).toString();
        if (!line.startsWith(`{"input":${await inputOf(intact)},`) || !isJson(line)) break;
        intact += 1;
      }
    });
    // Bytes written over several lines may have left the beginning of one and the end of another.
    return this.#ends.length > intact ? Math.max(0, intact - 1) : intact;
  }

  async #read(file: string, read: (handle: ResultsHandle, size: number) => Promise<void>): Promise<void> {
    const handle = await this.#files.open(file);
    try {
      await read(handle, await this.#files.size(file));
    } finally {
      await handle.close();
    }
  }
}
