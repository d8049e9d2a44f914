import type { Database } from '../../database/database.js';
import type * as driver from '../../database/sqlite/driver.js';
import { GroupCommit } from '../../database/sqlite/group-commit.js';
import type { SqliteSchema } from '../../database/sqlite/migration.js';
import { SqliteDatabase } from '../../database/sqlite/sqlite-database.js';
import { truncateLog } from '../../database/sqlite/wal-pages.js';
import { type WalSync, walSync } from '../../database/sqlite/wal-sync.js';
import { ExtractError } from '../../errors/extract-error.js';
import { type Clock, elapsed, systemClock } from '../../runtime/clock.js';
import { ownerText, thisProcess } from '../../runtime/process-owner.js';
import type { Balance, Charge, Ending, Grant, Ledger, UsageQuery, UsageRow } from '../ledger.js';
import { usagePage } from '../usage.js';
import { LedgerEntries } from './entries.js';
import { FilesInUse } from './files-in-use.js';
import { ledgerFault } from './ledger-fault.js';
import { openDatabase } from './ledger-file.js';
import { Recovery } from './recovery.js';

interface OpenParts {
  readonly db: driver.Database;
  readonly disk: WalSync | undefined;
  readonly writes: GroupCommit<Charge>;
  readonly stores: SqliteDatabase;
  readonly entries: LedgerEntries;
  readonly recovery: Recovery;
  readonly files: FilesInUse;
}

/** The open ledger, for a program that has tables of its own in its file. */
export interface LedgerDatabase {
  /** For reading, and for writing inside `write`. */
  readonly db: driver.Database;
  /** Entries of money, to be made inside `write`. */
  readonly entries: LedgerEntries;
  /** Names this process in a charge: the `owner` of `Postings.charge`. */
  readonly owner: string;
  /**
   * Runs work in a durable transaction, together with whatever else is being written. Resolves with what it returned
   * once that is on the disk. When it throws, nothing of it is written.
   */
  write<T>(work: () => T): Promise<T>;
  /** Reads outside a transaction. Rejects with the ledger's faults, never with the driver's. */
  read<T>(work: () => T): Promise<T>;
  /** The same file, for stores that are written once for all databases. */
  readonly stores: Database & Pick<SqliteDatabase, 'close'>;
}

/** Milliseconds between tries to give the log's space back to a full disk. */
const truncateInterval = 1_000;

/** Milliseconds between looks for calls that killed processes left behind. */
const recoveryInterval = 60_000;

/**
 * The ledger in an SQLite file that several processes may use at once. Nothing is opened before the first operation. An
 * operation on a file that cannot be used rejects with `internal_error` and the next one tries anew.
 */
export function openLedger(
  file: string,
  { clock = systemClock, schemas = [] }: { clock?: Clock; schemas?: readonly SqliteSchema[] } = {},
): SqliteLedger {
  return new SqliteLedger(() => openDatabase(file, clock, schemas), clock);
}

/** The `Ledger` over an SQLite database, however that is opened. */
export class SqliteLedger implements Ledger {
  readonly #open: () => Promise<driver.Database>;
  readonly #clock: Clock;
  readonly #self = thisProcess();
  readonly #owner = ownerText(this.#self);
  readonly #running = new Set<Promise<unknown>>();
  #opened: Promise<OpenParts> | undefined;
  #recovery: { readonly at: number; readonly done: Promise<void> } | undefined;
  #closed = false;
  #closing: Promise<void> | undefined;

  constructor(open: () => Promise<driver.Database>, clock: Clock) {
    this.#open = open;
    this.#clock = clock;
  }

  charge(charge: Charge): Promise<void> {
    return this.#post((entries) => entries.charge(charge, this.#owner, this.#clock.now()));
  }

  pay(charge: Charge): Promise<number> {
    const plain = charge.resumes === true ? undefined : charge;
    return this.#post((entries) => entries.pay(charge, this.#owner, this.#clock.now()), plain);
  }

  settle(id: string, ending: Ending): Promise<number> {
    return this.#post((entries) => entries.settle(id, ending));
  }

  refund(id: string): Promise<number> {
    return this.#post((entries) => entries.refund(id));
  }

  grant(grant: Grant): Promise<number> {
    return this.#post((entries) => entries.grant(grant));
  }

  balance(account: string): Promise<Balance> {
    return this.#run(({ writes, entries }) => writes.read(() => entries.balance(account)));
  }

  usage(account: string, query: UsageQuery): Promise<{ rows: readonly UsageRow[]; next: string | null }> {
    return this.#run(({ stores }) => stores.read((queries) => usagePage(queries, account, query)));
  }

  async checkWritable(): Promise<void> {
    await this.#run(({ db, writes, files }) => {
      files.check();
      const version = Number(db.pragma('user_version', { simple: true }));
      // The same number again is written all the same.
      return writes.run(() => void db.pragma(`user_version = ${version}`));
    });
  }

  /** The open file. The ledger's own tables are changed by its entries alone. */
  database(): Promise<LedgerDatabase> {
    return this.#run(({ db, writes, entries, stores }) => ({
      db,
      entries: entries,
      owner: this.#owner,
      write: <T>(work: () => T) => this.#run(() => writes.run(work)),
      read: <T>(work: () => T) => this.#run(() => writes.read(work)),
      stores: {
        dialect: stores.dialect,
        isRemote: stores.isRemote,
        // Keys are looked up by every request: nothing but the read itself.
        read: (work) => stores.read(work),
        write: (work) => this.#run(() => stores.write(work)),
        transaction: (work) => this.#run(() => stores.transaction(work)),
        close: () => stores.close(),
      },
    }));
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    await Promise.allSettled(this.#running);
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.writes.idle();
    opened?.disk?.close();
    // First the reader: whoever closes the file last moves the log into it.
    await opened?.stores.close();
    opened?.db.close();
  }

  /** Makes an entry, in a transaction that it shares with others. */
  #post<T>(work: (entries: LedgerEntries) => T, charge?: Charge): Promise<T> {
    return this.#run(({ writes, entries }) => writes.run(() => work(entries), charge));
  }

  /** Runs one operation on the open file. Rejects with the port's errors; `close` waits for it. */
  async #run<T>(operation: (opened: OpenParts) => T | Promise<T>): Promise<T> {
    if (this.#closed) throw new ExtractError('internal_error', 'The credit ledger is closed.');
    const run = this.#ready().then(operation);
    this.#running.add(run);
    try {
      return await run;
    } catch (cause) {
      throw ledgerFault(cause);
    } finally {
      this.#running.delete(run);
    }
  }

  async #ready(): Promise<OpenParts> {
    this.#opened ??= this.#openDatabase();
    const opened = await this.#opened;
    const now = elapsed(this.#clock);
    if (this.#recovery === undefined || now - this.#recovery.at >= recoveryInterval) {
      this.#recovery = { at: now, done: recover(opened, this.#clock.now()) };
    }
    await this.#recovery.done;
    return opened;
  }

  async #openDatabase(): Promise<OpenParts> {
    let db: driver.Database | undefined;
    try {
      const opened = await this.#open();
      db = opened;
      const entries = new LedgerEntries(db);
      let truncatedAt = Number.NEGATIVE_INFINITY;
      const disk = db.memory ? undefined : walSync(db);
      const writes = new GroupCommit<Charge>(db, this.#clock, {
        fault: ledgerFault,
        sync: disk?.sync,
        // On a full disk, the log takes the room of everything else.
        onFull: () => {
          const now = elapsed(this.#clock);
          if (disk === undefined || now - truncatedAt < truncateInterval) return;
          truncatedAt = now;
          truncateLog(opened);
        },
        together: (charges) => entries.payTogether(charges, this.#clock.now()),
      });
      const recovery = new Recovery(db, entries, this.#self);
      const stores = new SqliteDatabase(db, writes, ledgerFault);
      return { db, disk, writes, stores, entries, recovery, files: new FilesInUse(db) };
    } catch (cause) {
      db?.close();
      this.#opened = undefined;
      throw cause;
    }
  }
}

async function recover({ writes, recovery }: OpenParts, now: number): Promise<void> {
  try {
    // Looking costs no lock, and most of the time nothing was left behind.
    if (recovery.findAbandoned(now).length > 0) await writes.run(() => recovery.recover(now));
  } catch {
    // Credits that wait a minute longer are no reason to refuse a call. The call itself will meet and report a fault
    // of the file.
  }
}
