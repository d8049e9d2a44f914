import { coalesce } from '../../lib/runtime/coalesce.js';

/** Bytes that may wait for a write before whoever adds more has to wait too. */
const mostWaiting = 1024 * 1024;

/**
 * Makes one write of all that is added at about the same time, and one at a time: the slower the writes, the larger
 * they get. After a write that failed everything rejects with its error.
 */
export class TurnWriter<Note> {
  readonly #write: (bytes: Buffer, note: Note) => Promise<void>;
  #parts: Buffer[] = [];
  #size = 0;
  #note: Note | undefined;
  #writing: Promise<void> | undefined;
  #failed = false;

  /** `write` is given the note that came with the last of the parts. */
  constructor(write: (bytes: Buffer, note: Note) => Promise<void>) {
    this.#write = write;
  }

  /** Adds bytes; a promise when they have to be waited for. */
  add(bytes: Buffer, note: Note): Promise<void> | undefined {
    this.#parts.push(bytes);
    this.#size += bytes.length;
    this.#note = note;
    if (this.#writing === undefined) {
      this.#writing = this.#writeAll();
      // Whoever adds or ends next is told.
      this.#writing.catch(() => {
        this.#failed = true;
      });
    }
    return this.#failed || this.#size > mostWaiting ? this.#writing : undefined;
  }

  /** Resolves when nothing waits any more. */
  async written(): Promise<void> {
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
