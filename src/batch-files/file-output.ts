import { type FileHandle, open } from 'node:fs/promises';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { fileFault } from '../../lib/errors/storage-error.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Checkpoint, Entry } from './checkpoint.js';
import type { Output, Point } from './output.js';
import { TurnWriter } from './turn-writer.js';

/** Milliseconds from one entry of the checkpoint to the next, at least. */
const checkpointMs = 1000;

/** What of a file is used: tests put a disk in its place that becomes full. */
export type OutputHandle = Pick<FileHandle, 'write' | 'datasync' | 'truncate' | 'close'>;

export interface FileOutputOptions {
  readonly checkpoint: Checkpoint;
  readonly clock: Clock;
  /** Where to go on. What stands behind it in the file, torn or whole, nobody vouches for. */
  readonly at: number;
  readonly point: Point;
}

/** Opens a file for output, cut off at the place to go on from. */
export async function openFileOutput(file: string, options: FileOutputOptions): Promise<FileOutput> {
  const handle = await open(file, options.at === 0 ? 'w' : 'r+');
  await handle.truncate(options.at);
  return new FileOutput(handle, options);
}

/** What a user is told of a disk that takes no more. */
function outputFault(cause: unknown): ExtractError {
  if (cause instanceof ExtractError) return cause;
  const full = fileFault(cause) === 'full';
  const what = full
    ? 'its disk is full; free some space'
    : `${(cause as NodeJS.ErrnoException).code ?? 'it failed'}`;
  return new ExtractError('internal_error', `The output cannot be written: ${what}.`, { cause });
}

/** An output in a file with a checkpoint beside it, which tells only of what the disk has. */
export class FileOutput implements Output {
  readonly #handle: OutputHandle;
  readonly #checkpoint: Checkpoint;
  readonly #clock: Clock;
  readonly #writer: TurnWriter<Point>;
  /** Bytes that are written, and bytes that were taken. */
  #written: number;
  #taken: number;
  #point: Point;
  #bad: Entry['bad'] = [];
  #keptAt: number;
  #vouching: Promise<void> = Promise.resolve();

  constructor(handle: OutputHandle, { checkpoint, clock, at, point }: FileOutputOptions) {
    this.#handle = handle;
    this.#checkpoint = checkpoint;
    this.#clock = clock;
    this.#written = at;
    this.#taken = at;
    this.#point = point;
    this.#keptAt = clock.now();
    this.#writer = new TurnWriter((bytes, reached) =>
      this.#write(bytes, reached).catch((cause: unknown) => {
        throw outputFault(cause);
      }),
    );
  }

  add(text: string | Buffer, point: Point, failed?: number): Promise<void> | undefined {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    if (failed !== undefined) this.#bad.push([failed, this.#taken, bytes.length]);
    this.#taken += bytes.length;
    return this.#writer.add(bytes, point);
  }

  async keep(): Promise<void> {
    await this.#writer.written();
    await this.#vouch(false);
  }

  async end(done: boolean): Promise<void> {
    try {
      await this.#writer.written();
      await this.#vouch(done);
    } catch (error) {
      // Whole lines only, and what can still be said of them; without it the entry before holds.
      await this.#handle.truncate(this.#written).catch(() => undefined);
      await this.#vouch(false).catch(() => undefined);
      throw outputFault(error);
    } finally {
      await this.#handle.close();
      await this.#checkpoint.close();
    }
  }

  async #write(bytes: Buffer, reached: Point): Promise<void> {
    let done = 0;
    while (done < bytes.length) {
      const { bytesWritten } = await this.#handle.write(
        bytes,
        done,
        bytes.length - done,
        this.#written + done,
      );
      done += bytesWritten;
    }
    this.#written += bytes.length;
    this.#point = reached;
    if (this.#clock.now() - this.#keptAt >= checkpointMs) await this.#vouch(false);
  }

  /** One entry at a time, each with what failed since the one before. */
  #vouch(done: boolean): Promise<void> {
    const next = this.#vouching.then(() => this.#vouchNow(done));
    this.#vouching = next.catch(() => undefined);
    return next;
  }

  async #vouchNow(done: boolean): Promise<void> {
    this.#keptAt = this.#clock.now();
    const written = this.#written;
    const { totals, copied } = this.#point;
    await this.#handle.datasync();
    const bad = this.#bad.filter(([, offset]) => offset < written);
    await this.#checkpoint.add({ ...totals, bytes: written, copied, bad, done });
    this.#bad = this.#bad.filter(([, offset]) => offset >= written);
  }
}
