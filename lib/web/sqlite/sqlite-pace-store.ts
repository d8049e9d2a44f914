import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { nativeModuleFault } from '../../database/sqlite/driver.js';
import { whenUnlocked } from '../../database/sqlite/lock-wait.js';
import { sqliteFault } from '../../database/sqlite/sqlite-fault.js';
import { openSqliteFile } from '../../database/sqlite/sqlite-file.js';
import { causeText, type FileStorageFault, StorageError } from '../../errors/storage-error.js';
import type { Clock } from '../../runtime/clock.js';
import {
  believedCooldown,
  type CooldownState,
  nextCooldown,
  type RefusalDetails,
} from '../cooldown-state.js';
import type { PaceStore, PlatformPace } from '../pace-store.js';
import type { PlatformDay } from '../platform-day.js';
import { PaceTable } from './pace-table.js';

/** Milliseconds an operation waits for another process that writes. */
const lockTimeout = 1000;

const reasons: Readonly<Record<Exclude<FileStorageFault, 'uninstalled' | 'failed'>, string>> = {
  full: 'Its disk is full; free some space.',
  unwritable: 'It cannot be opened for writing; check the permissions of the data directory.',
  locked: 'Another program keeps it locked.',
  damaged: 'It is damaged; remove it, a new one is made.',
  unreadable: 'Its disk failed; check the disk.',
  exhausted: 'This machine ran out of file descriptors or memory.',
};

function paceFault(cause: unknown, file: string): StorageError {
  const fault = sqliteFault(cause);
  const reason =
    fault === 'uninstalled'
      ? nativeModuleFault(cause)
      : fault === 'failed'
        ? `The cause: ${causeText(cause)}.`
        : reasons[fault];
  return new StorageError(fault, `The pace of other processes is not known from ${file}. ${reason}`, {
    cause,
  });
}

/** The identity of the file at a path; undefined for none. */
function identityOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

interface OpenPaceFile {
  readonly table: PaceTable;
  readonly identity: string | undefined;
}

/**
 * The pace in an SQLite file of its own in the data directory. It is no table of the ledger. The ledger waits for the
 * disk at each commit. A pace that a power cut loses was over before the machine is back. A process that is killed
 * loses nothing. A damaged file is replaced.
 */
export class SqlitePaceStore implements PaceStore {
  readonly isRequired = false;
  readonly #file: string;
  readonly #clock: Clock;
  #opening: Promise<OpenPaceFile> | undefined;
  #closed = false;

  constructor(home: string, clock: Clock) {
    this.#file = path.resolve(home, 'pace.db');
    this.#clock = clock;
  }

  reserve(platform: string, ms: number, instead?: number): Promise<number> {
    return this.#run((table) =>
      table.reserve({ platform, ms, now: this.#clock.now(), instead: instead ?? null }),
    );
  }

  find(platform: string): Promise<PlatformPace | null> {
    return this.#run((table) => {
      const pace = table.find(platform);
      if (pace === null || pace.cooldown === null) return pace;
      const believed = believedCooldown(pace.cooldown, this.#clock.now());
      // Written, so that a clock that was set back lengthens the cool-down once and not at each look.
      if (believed !== pace.cooldown) table.changeCooldown(platform, () => believed);
      return { ...pace, cooldown: believed };
    });
  }

  recordRefusal(platform: string, refusal: RefusalDetails): Promise<CooldownState> {
    return this.#run((table) =>
      table.changeCooldown(platform, (cooldown) => {
        const now = this.#clock.now();
        return nextCooldown(cooldown && believedCooldown(cooldown, now), refusal, now);
      }),
    );
  }

  recordErrorRoute(platform: string, print: string): Promise<void> {
    return this.#run((table) => table.addErrorRoute(platform, print));
  }

  recordAnswer(platform: string, began: number): Promise<void> {
    return this.#run((table) => table.recordAnswer(platform, began));
  }

  listPlatforms(): Promise<readonly PlatformPace[]> {
    return this.#run((table) => table.platforms());
  }

  addDays(days: readonly PlatformDay[]): Promise<void> {
    return this.#run((table) => table.addDays(days));
  }

  listDays(since: string): Promise<readonly PlatformDay[]> {
    return this.#run((table) => table.days(since));
  }

  async close(): Promise<void> {
    this.#closed = true;
    const opened = await this.#opening?.catch(() => undefined);
    opened?.table.close();
  }

  /** Runs one operation; on a damaged file a second time, on a new one. */
  async #run<T>(operation: (table: PaceTable) => T): Promise<T> {
    try {
      return await this.#attempt(operation).catch((cause: unknown) => {
        if (sqliteFault(cause) !== 'damaged') throw cause;
        return this.#attempt(operation);
      });
    } catch (cause) {
      throw paceFault(cause, this.#file);
    }
  }

  async #attempt<T>(operation: (table: PaceTable) => T): Promise<T> {
    if (this.#closed) throw new Error('The store is closed.');
    this.#opening ??= this.#open();
    const opening = this.#opening;
    try {
      const { table } = await opening;
      return await whenUnlocked(this.#clock, () => operation(table), lockTimeout);
    } catch (cause) {
      const fault = sqliteFault(cause);
      if (fault !== 'locked') await this.#drop(opening, fault === 'damaged');
      throw cause;
    }
  }

  async #open(): Promise<OpenPaceFile> {
    const db = await openSqliteFile(this.#file);
    const identity = identityOf(this.#file);
    try {
      return await whenUnlocked(
        this.#clock,
        () => {
          // Opened and closed by every command: a write-ahead log would cost that twice what the journal costs.
          db.pragma('journal_mode = PERSIST');
          db.pragma('synchronous = OFF');
          return { table: new PaceTable(db), identity };
        },
        lockTimeout,
      );
    } catch (cause) {
      db.close();
      if (sqliteFault(cause) === 'damaged') this.#remove(identity);
      throw cause;
    }
  }

  /** Lets go of the file, so that the next operation opens it again. */
  async #drop(opening: Promise<OpenPaceFile>, damaged: boolean): Promise<void> {
    if (this.#opening === opening) this.#opening = undefined;
    const opened = await opening.catch(() => undefined);
    opened?.table.close();
    if (damaged && opened !== undefined) this.#remove(opened.identity);
  }

  /** Removes the damaged file, unless another process has made a new one meanwhile. */
  #remove(identity: string | undefined): void {
    if (identity !== identityOf(this.#file)) return;
    for (const suffix of ['', '-journal']) rmSync(this.#file + suffix, { force: true });
  }
}
