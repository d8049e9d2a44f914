import path from 'node:path';
import type { Database } from '../../database/database.js';
import type { Outcome } from '../../database/group-queue.js';
import type { Queries } from '../../database/queries.js';
import type { SchemaSql } from '../../database/schema-sql.js';
import type * as driver from '../../database/sqlite/driver.js';
import { GroupCommit } from '../../database/sqlite/group-commit.js';
import { SqliteDatabase } from '../../database/sqlite/sqlite-database.js';
import { queriesOn } from '../../database/sqlite/sqlite-queries.js';
import { truncateLog } from '../../database/sqlite/wal-pages.js';
import { type WalSync, walSync } from '../../database/sqlite/wal-sync.js';
import { ExtractError } from '../../errors/extract-error.js';
import { type Clock, elapsed, systemClock } from '../../runtime/clock.js';
import { freeBytes } from '../../runtime/free-bytes.js';
import { ownerText, thisProcess } from '../../runtime/process-owner.js';
import { balanceOf } from '../balances.js';
import {
  chargePosting,
  grant,
  makeEntries,
  type Posting,
  payPosting,
  refundPosting,
  settlePosting,
} from '../entries.js';
import type { Balance, Charge, Ending, Grant, Ledger, UsageQuery } from '../ledger.js';
import { checkCharge } from '../postings.js';
import { usagePage } from '../usage.js';
import type { UsageRow } from '../usage-row.js';
import { ChargeBatch } from './charge-batch.js';
import { FilesInUse } from './files-in-use.js';
import { diskFull, ledgerFault } from './ledger-fault.js';
import { openDatabase } from './ledger-file.js';
import { Recovery } from './recovery.js';

interface Entry {
  readonly posting: () => Posting<unknown>;
  /** Set if the entry pays for an answered call. */
  readonly paid: Charge | undefined;
}

interface OpenParts {
  readonly db: driver.Database;
  readonly disk: WalSync | undefined;
  readonly writes: GroupCommit<Entry>;
  readonly stores: SqliteDatabase;
  readonly recovery: Recovery;
  readonly files: FilesInUse;
}

/** The open ledger, for a program with its own tables in the ledger's file. */
export interface LedgerDatabase {
  /** For reading, and for writing inside `write`. */
  readonly db: driver.Database;
  /** Names this process in a charge. */
  readonly owner: string;
  /**
   * Runs work in a durable transaction, grouped with concurrent writes. Resolves with its result once that is on disk.
   * If it throws, nothing is written.
   */
  write<T>(work: () => T): Promise<T>;
  /** Reads outside a transaction. Rejects with the ledger's errors, never the driver's. */
  read<T>(work: () => T): Promise<T>;
  /** The same file, for stores written for every database. */
  readonly stores: Database & Pick<SqliteDatabase, 'close'>;
}

/**
 * Free bytes below which a disk counts as full. The log still takes some entries in the space that it has, so a write
 * would succeed there for a while.
 */
const minFreeBytes = 256 * 1024;

/** Milliseconds between attempts to free the log's space on a full disk. */
const truncateInterval = 1_000;

/** Milliseconds between searches for calls that killed processes left pending. */
const recoveryInterval = 60_000;

/**
 * The ledger in an SQLite file, which several processes can use concurrently. Opened on first use. An operation on an
 * unusable file rejects with `internal_error`, and the next one tries again.
 */
export function openLedger(
  file: string,
  { clock = systemClock, schemas = [] }: { clock?: Clock; schemas?: readonly SchemaSql[] } = {},
): SqliteLedger {
  return new SqliteLedger(() => openDatabase(file, clock, schemas), clock);
}

/** The `Ledger` over an SQLite database, however it is opened. */
export class SqliteLedger implements Ledger {
  readonly #open: () => Promise<driver.Database>;
  readonly #clock: Clock;
  readonly #freeBytes: (folder: string) => number;
  readonly #self = thisProcess();
  readonly #owner = ownerText(this.#self);
  readonly #running = new Set<Promise<unknown>>();
  #opened: Promise<OpenParts> | undefined;
  #recovery: { readonly at: number; readonly done: Promise<void> } | undefined;
  #closed = false;
  #closing: Promise<void> | undefined;

  constructor(open: () => Promise<driver.Database>, clock: Clock, measure = freeBytes) {
    this.#open = open;
    this.#clock = clock;
    this.#freeBytes = measure;
  }

  charge(charge: Charge): Promise<void> {
    return this.#enter({ posting: () => chargePosting(charge, this.#owner), paid: undefined }, charge);
  }

  pay(charge: Charge): Promise<number> {
    return this.#enter({ posting: () => payPosting(charge, this.#owner), paid: charge }, charge);
  }

  settle(id: string, ending: Ending): Promise<number> {
    return this.#enter({ posting: () => settlePosting(id, ending), paid: undefined });
  }

  refund(id: string): Promise<number> {
    return this.#enter({ posting: () => refundPosting(id), paid: undefined });
  }

  grant(entry: Grant): Promise<number> {
    return this.#run(({ stores }) => stores.transaction((queries) => grant(queries, entry)));
  }

  balance(account: string): Promise<Balance> {
    return this.#run(({ stores }) => stores.read((queries) => balanceOf(queries, account)));
  }

  usage(account: string, query: UsageQuery): Promise<{ rows: readonly UsageRow[]; next: string | null }> {
    return this.#run(({ stores }) => stores.read((queries) => usagePage(queries, account, query)));
  }

  async checkWritable(): Promise<void> {
    await this.#run(({ db, writes, files }) => {
      files.check();
      if (!db.memory && this.#freeBytes(path.dirname(db.name)) < minFreeBytes) throw diskFull();
      const version = Number(db.pragma('user_version', { simple: true }));
      // SQLite writes the number even if it has not changed.
      return writes.run(() => void db.pragma(`user_version = ${version}`));
    });
  }

  /** The open file. Only entries may change the ledger's own tables. */
  database(): Promise<LedgerDatabase> {
    return this.#run(({ db, writes, stores }) => ({
      db,
      owner: this.#owner,
      write: <T>(work: () => T) => this.#run(() => writes.run(work)),
      read: <T>(work: () => T) => this.#run(() => writes.read(work)),
      stores: {
        dialect: stores.dialect,
        isRemote: stores.isRemote,
        // Every request looks up a key, so this must do nothing but read.
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
    const parts = await this.#opened?.catch(() => undefined);
    await parts?.writes.idle();
    parts?.disk?.close();
    // The reader closes first: the last connection to close checkpoints the log.
    await parts?.stores.close();
    parts?.db.close();
  }

  /** Makes an entry, with its charge if it has one, in a shared transaction. */
  #enter<T>(entry: Entry, charge?: Charge): Promise<T> {
    return this.#run(({ writes }) => {
      if (charge !== undefined) checkCharge(charge);
      return writes.add<T>(entry);
    });
  }

  /** Runs one operation on the open file. Rejects with the port's errors; `close` waits for it. */
  async #run<T>(operation: (parts: OpenParts) => T | Promise<T>): Promise<T> {
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
    const parts = await this.#opened;
    const now = elapsed(this.#clock);
    if (this.#recovery === undefined || now - this.#recovery.at >= recoveryInterval) {
      this.#recovery = { at: now, done: recover(parts, this.#clock.now()) };
    }
    await this.#recovery.done;
    return parts;
  }

  async #openDatabase(): Promise<OpenParts> {
    let db: driver.Database | undefined;
    try {
      const file = await this.#open();
      db = file;
      const batch = new ChargeBatch(db);
      const queries = queriesOn(db);
      let truncatedAt = Number.NEGATIVE_INFINITY;
      const disk = db.memory ? undefined : walSync(db);
      const writes = new GroupCommit<Entry>(db, this.#clock, {
        fault: ledgerFault,
        ready: disk?.ready,
        sync: disk?.sync,
        // With 64 calls of a batch in progress, a blocking sync costs a tenth of their time (2026-11).
        hasTime: ({ paid }) => paid === undefined || paid.resumes === true,
        // On a full disk, the log would take everyone's space.
        onFull: () => {
          const now = elapsed(this.#clock);
          if (disk === undefined || now - truncatedAt < truncateInterval) return;
          truncatedAt = now;
          truncateLog(file);
        },
        together: (group) => makeTogether(group, batch, queries, this.#clock.now()),
        oneByOne: (group) => makeInOrder(group, queries, this.#clock.now()),
      });
      const recovery = new Recovery(db, this.#self);
      const stores = new SqliteDatabase(db, writes, ledgerFault);
      return { db, disk, writes, stores, recovery, files: new FilesInUse(db) };
    } catch (cause) {
      db?.close();
      this.#opened = undefined;
      throw cause;
    }
  }
}

/** Makes entries in order. A group of answered calls takes few statements; rejects if not all of them can be paid. */
async function makeTogether(
  group: readonly Entry[],
  batch: ChargeBatch,
  queries: Queries,
  now: number,
): Promise<readonly Outcome[]> {
  const charges: Charge[] = [];
  for (const { paid } of group) if (paid !== undefined) charges.push(paid);
  if (charges.length < group.length) return makeInOrder(group, queries, now);
  const balances = batch.pay(charges, now);
  if (balances === null) throw new ExtractError('insufficient_credits');
  return balances.map((value) => ({ value }));
}

function makeInOrder(group: readonly Entry[], queries: Queries, now: number): Promise<readonly Outcome[]> {
  return makeEntries(
    queries,
    group.map(({ posting }) => posting()),
    now,
  );
}

async function recover({ stores, recovery }: OpenParts, now: number): Promise<void> {
  try {
    // The check takes no lock and usually finds nothing.
    if (recovery.findAbandoned(now).length === 0) return;
    await stores.transaction((queries) => recovery.recover(queries, now));
  } catch {
    // A refund can wait a minute. The call itself will report an error of the file.
  }
}
