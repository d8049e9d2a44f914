import type { Extent } from '../job.js';
import { Appender, chunksAt, readAt, writeAt } from './positioned.js';
import type { ResultsFiles, ResultsHandle } from './results-files.js';

/** Where a line stands that waits for those before it. */
interface LateLine {
  readonly position: number;
  readonly length: number;
}

/** What an append came to, until it is adopted. */
interface Append {
  readonly to: Extent;
  readonly ends: readonly number[];
  readonly late: ReadonlyMap<number, LateLine>;
}

const lineFeed = 0x0a;
/** Before each record of the file of late lines: the index of its input, and its length. */
const recordHead = 8;

/**
 * The files of one job's results. Lines come in any order; those whose turn it is go to the file in input order, the
 * others wait in a file of their own, so that a line that was written once is never lost. An append counts only when
 * it is adopted, after the transaction that moves the job's extent: what stands behind the extent, torn or whole, is
 * written over.
 */
export class ResultsWriter {
  readonly #files: ResultsFiles;
  readonly #id: string;
  readonly #total: number;
  #extent: Extent;
  /** Where each line ends. */
  readonly #ends: number[];
  readonly #late: Map<number, LateLine>;
  #draft: Append | undefined;

  private constructor(files: ResultsFiles, id: string, total: number, extent: Extent) {
    this.#files = files;
    this.#id = id;
    this.#total = total;
    this.#extent = extent;
    this.#ends = [];
    this.#late = new Map();
  }

  /** Takes up a job's files where its extent says they are. Throws when they do not hold what it says. */
  static async open(files: ResultsFiles, id: string, total: number, extent: Extent): Promise<ResultsWriter> {
    const writer = new ResultsWriter(files, id, total, extent);
    if (extent.lines > 0 || extent.lateBytes > 0) await writer.#restore();
    return writer;
  }

  get extent(): Extent {
    return this.#extent;
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
      if (this.#extent.lines === 0 && this.#extent.lateBytes === 0) await this.#files.prepare();
      this.#draft = await this.#append(lines, open);
      return this.#draft.to;
    } finally {
      for (const handle of opened) await handle.close();
    }
  }

  /** What was appended last counts now. */
  async adopt(): Promise<void> {
    const draft = this.#draft;
    if (draft === undefined) return;
    this.#draft = undefined;
    const emptied = this.#extent.lateBytes > 0 && draft.to.lateBytes === 0;
    this.#extent = draft.to;
    for (const end of draft.ends) this.#ends.push(end);
    for (const [index, late] of draft.late) this.#late.set(index, late);
    for (const index of this.#late.keys()) if (index < draft.to.lines) this.#late.delete(index);
    if (emptied) await this.#files.removeLate(this.#id);
  }

  async #append(
    lines: ReadonlyMap<number, Buffer>,
    open: (file: string) => Promise<ResultsHandle>,
  ): Promise<Append> {
    const { lines: first, bytes, lateBytes } = this.#extent;
    const ends: number[] = [];
    let next = first;
    let end = bytes;
    const ready = () => next < this.#total && (lines.has(next) || this.#late.has(next));
    if (ready()) {
      const handle = await open(this.#files.lines(this.#id));
      const appender = new Appender(handle, bytes);
      let lateFile: ResultsHandle | undefined;
      for (; ready(); next += 1) {
        let line = lines.get(next);
        if (line === undefined) {
          const { position, length } = this.#late.get(next) as LateLine;
          lateFile ??= await open(this.#files.late(this.#id));
          line = await readAt(lateFile, length, position);
        }
        await appender.add(line);
        ends.push(appender.end);
      }
      await appender.flush();
      end = appender.end;
      if (next === this.#total) {
        await handle.truncate(end);
        await this.#writeIndex([...this.#ends, ...ends], open);
      }
      await handle.datasync();
    }
    const waits = [...lines].filter(([index]) => index >= next);
    const late = new Map<number, LateLine>();
    let lateEnd = [...this.#late.keys()].some((index) => index >= next) ? lateBytes : 0;
    if (waits.length > 0) {
      const handle = await open(this.#files.late(this.#id));
      // Behind the extent, even where nothing of it is needed any more: this append may yet be dropped.
      const appender = new Appender(handle, lateBytes);
      for (const [index, line] of waits) {
        const head = Buffer.allocUnsafe(recordHead);
        head.writeUInt32LE(index, 0);
        head.writeUInt32LE(line.length, 4);
        await appender.add(head);
        late.set(index, { position: appender.end, length: line.length });
        await appender.add(line);
      }
      await appender.flush();
      await handle.datasync();
      lateEnd = appender.end;
    }
    if (first === 0 && lateBytes === 0) await this.#files.syncFolder();
    return { to: { lines: next, bytes: end, lateBytes: lateEnd }, ends, late };
  }

  async #writeIndex(ends: readonly number[], open: (file: string) => Promise<ResultsHandle>): Promise<void> {
    const bytes = Buffer.allocUnsafe(ends.length * 8);
    ends.forEach((end, line) => {
      bytes.writeDoubleLE(end, line * 8);
    });
    const handle = await open(this.#files.index(this.#id));
    await writeAt(handle, bytes, 0);
    await handle.datasync();
  }

  async #restore(): Promise<void> {
    const { lines, bytes, lateBytes } = this.#extent;
    await this.#read(this.#files.lines(this.#id), async (handle) => {
      let position = 0;
      for await (const chunk of chunksAt(handle, 0, bytes)) {
        for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) {
          this.#ends.push(position + at + 1);
        }
        position += chunk.length;
      }
    });
    if (this.#ends.length !== lines || (this.#ends.at(-1) ?? 0) !== bytes) {
      throw new Error(`The results of ${this.#id} are not what was written.`);
    }
    if (lateBytes === 0) return;
    await this.#read(this.#files.late(this.#id), async (handle) => {
      for (let position = 0; position < lateBytes; ) {
        const head = await readAt(handle, recordHead, position);
        const [index, length] = [head.readUInt32LE(0), head.readUInt32LE(4)];
        position += recordHead;
        if (index >= lines) this.#late.set(index, { position, length });
        position += length;
      }
    });
  }

  async #read(file: string, read: (handle: ResultsHandle) => Promise<void>): Promise<void> {
    const handle = await this.#files.open(file);
    try {
      await read(handle);
    } finally {
      await handle.close();
    }
  }
}
