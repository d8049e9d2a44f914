import { coalesce } from '../../../lib/runtime/coalesce.js';

/** Pending bytes above which callers wait. */
const maxPendingBytes = 1024 * 1024;

/**
 * Combines concurrent additions into one write at a time; the slower the writes, the larger they get. After a failed
 * write every call rejects with its error.
 */
export class CoalescingWriter<Note> {
  readonly #write: (bytes: Buffer, note: Note) => Promise<void>;
  #parts: Buffer[] = [];
  #size = 0;
  #note: Note | undefined;
  #writing: Promise<void> | undefined;
  #failed = false;

  constructor(write: (bytes: Buffer, note: Note) => Promise<void>) {
    this.#write = write;
  }

  /** Adds bytes. Returns a promise if the caller must wait. */
  add(bytes: Buffer, note: Note): Promise<void> | undefined {
    this.#parts.push(bytes);
    this.#size += bytes.length;
    this.#note = note;
    if (this.#writing === undefined) {
      this.#writing = this.#writeAll();
      // The next call rejects with the error.
      this.#writing.catch(() => {
        this.#failed = true;
      });
    }
    return this.#failed || this.#size > maxPendingBytes ? this.#writing : undefined;
  }

  async flush(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#parts.length > 0) {
      await coalesce(() => this.#size);
      const bytes = Buffer.concat(this.#parts, this.#size);
      const note = this.#note as Note;
      this.#parts = [];
      this.#size = 0;
      await this.#write(bytes, note);
    }
    this.#writing = undefined;
  }
}
