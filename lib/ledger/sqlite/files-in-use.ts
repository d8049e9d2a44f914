import path from 'node:path';
import type { Database } from '../../database/sqlite/driver.js';
import { StorageError } from '../../errors/storage-error.js';
import { fileIdentity } from '../../runtime/file-identity.js';

/**
 * The file of an open ledger, its log and the log's index. A process can keep writing to files that were moved or
 * removed. Those writes are lost when it ends, and other processes do not see its locks.
 */
export class FilesInUse {
  readonly #db: Database;
  readonly #opened = new Map<string, string>();

  constructor(db: Database) {
    this.#db = db;
    this.#note();
  }

  /** Throws if one of the paths now has another file or none. */
  check(): void {
    for (const [file, opened] of this.#opened) {
      if (fileIdentity(file) === opened) continue;
      throw new StorageError(
        'damaged',
        `The file ${path.basename(file)} of the credit ledger was moved, removed or replaced while it was in use. Put it back, or stop this program before you restore a backup.`,
      );
    }
    // The log is created by the first entry and exists as long as the ledger is open.
    this.#note();
  }

  #note(): void {
    if (this.#db.memory) return;
    for (const file of ['', '-wal', '-shm'].map((part) => this.#db.name + part)) {
      const identity = this.#opened.has(file) ? undefined : fileIdentity(file);
      if (identity !== undefined) this.#opened.set(file, identity);
    }
  }
}
