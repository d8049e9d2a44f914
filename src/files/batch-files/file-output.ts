import { type FileHandle, open } from 'node:fs/promises';
import { type Clock, elapsed } from '../../../lib/runtime/clock.js';
import { writeAt } from '../../../lib/runtime/write-at.js';
import type { Checkpoint, CheckpointEntry } from './checkpoint.js';
import { CoalescingWriter } from './coalescing-writer.js';
import type { BatchOutput, BatchPosition, FailedMark, LeftAnswers, OnSaved } from './output.js';
import { writeFault } from './output-fault.js';

const checkpointMs = 1000;

/** The methods of a file that the output uses; tests simulate a full disk. */
export type OutputHandle = Pick<FileHandle, 'write' | 'datasync' | 'truncate' | 'close'>;

export interface FileOutputOptions {
  readonly checkpoint: Checkpoint;
  readonly clock: Clock;
  /** Where to continue. Later bytes are not confirmed by the checkpoint, even if they are complete lines. */
  readonly offset: number;
  readonly position: BatchPosition;
  readonly onSaved?: OnSaved | undefined;
}

/** Opens a file for output, truncated to the offset. */
export async function openFileOutput(file: string, options: FileOutputOptions): Promise<FileOutput> {
  const handle = await open(file, options.offset === 0 ? 'w' : 'r+');
  await handle.truncate(options.offset);
  return new FileOutput(handle, options);
}

/** An output file with a checkpoint next to it, which only covers what is on disk. */
export class FileOutput implements BatchOutput {
  readonly #handle: OutputHandle;
  readonly #checkpoint: Checkpoint;
  readonly #clock: Clock;
  readonly #writer: CoalescingWriter<BatchPosition>;
  #written: number;
  #added: number;
  readonly #onSaved: OnSaved | undefined;
  #position: BatchPosition;
  #failed: CheckpointEntry['bad'] = [];
  #savedAt: number;
  #saving: Promise<void> = Promise.resolve();

  constructor(handle: OutputHandle, { checkpoint, clock, offset, position, onSaved }: FileOutputOptions) {
    this.#handle = handle;
    this.#checkpoint = checkpoint;
    this.#clock = clock;
    this.#onSaved = onSaved;
    this.#written = offset;
    this.#added = offset;
    this.#position = position;
    this.#savedAt = elapsed(clock);
    this.#writer = new CoalescingWriter((bytes, position) =>
      this.#write(bytes, position).catch((cause: unknown) => {
        throw writeFault(cause);
      }),
    );
  }

  add(text: string | Buffer, point: BatchPosition, failed?: FailedMark): Promise<void> | undefined {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    if (failed !== undefined) {
      const lines = [failed.index, this.#added, bytes.length] as const;
      this.#failed.push(failed.rest === undefined ? [...lines] : [...lines, failed.rest]);
    }
    this.#added += bytes.length;
    return this.#writer.add(bytes, point);
  }

  async flush(pending?: LeftAnswers): Promise<void> {
    await this.#writer.flush();
    await this.#saveCheckpoint(false, pending);
  }

  async end(done: boolean, pending?: LeftAnswers): Promise<void> {
    try {
      await this.#writer.flush();
      await this.#saveCheckpoint(done, pending);
    } catch (error) {
      // Ends the output with a complete line, and an entry for it if possible; otherwise the previous entry counts.
      await this.#handle.truncate(this.#written).catch(() => undefined);
      await this.#saveCheckpoint(false).catch(() => undefined);
      throw writeFault(error);
    } finally {
      await this.#handle.close();
      await this.#checkpoint.close();
    }
  }

  async #write(bytes: Buffer, position: BatchPosition): Promise<void> {
    await writeAt(this.#handle, bytes, this.#written);
    this.#written += bytes.length;
    this.#position = position;
    if (elapsed(this.#clock) - this.#savedAt >= checkpointMs) await this.#saveCheckpoint(false);
  }

  /** Adds one entry at a time, each with the failed inputs since the previous one. */
  #saveCheckpoint(done: boolean, pending?: LeftAnswers): Promise<void> {
    const next = this.#saving.then(() => this.#addEntry(done, pending));
    this.#saving = next.catch(() => undefined);
    return next;
  }

  async #addEntry(done: boolean, pending: LeftAnswers | undefined): Promise<void> {
    this.#savedAt = elapsed(this.#clock);
    const writtenBytes = this.#written;
    const position = this.#position;
    const { totals, copied } = position;
    await this.#handle.datasync();
    const bad = this.#failed.filter(([, offset]) => offset < writtenBytes);
    await this.#checkpoint.add({ ...totals, bytes: writtenBytes, copied, bad, done, left: pending });
    this.#failed = this.#failed.filter(([, offset]) => offset >= writtenBytes);
    // After the checkpoint: what is remembered earlier would be lost if the output were truncated to it.
    await this.#onSaved?.(position, writtenBytes);
  }
}
