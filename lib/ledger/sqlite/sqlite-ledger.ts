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
import { ledgerFault } from './ledger-fault.js';
import { openDatabase } from './ledger-file.js';
import { Recovery } from './recovery.js';

interface Entry {
  readonly posting: () => Posting<unknown>;
  /** Set where the entry pays an answered call. */
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

/** The open ledger, for a program that has tables of its own in its file. */
export interface LedgerDatabase {
  /** For reading, and for writing inside `write`. */
  readonly db: driver.Database;
  /** Names this process in a charge. */
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
  { clock = systemClock, schemas = [] }: { clock?: Clock; schemas?: readonly SchemaSql[] } = {},
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

  grant(given: Grant): Promise<number> {
    return this.#run(({ stores }) => stores.transaction((queries) => grant(queries, given)));
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
      const version = Number(db.pragma('user_version', { simple: true }));
      // The same number again is written all the same.
      return writes.run(() => void db.pragma(`user_version = ${version}`));
    });
  }

  /** The open file. The ledger's own tables are changed by its entries alone. */
  database(): Promise<LedgerDatabase> {
    return this.#run(({ db, writes, stores }) => ({
      db,
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

  /** Makes an entry, that of a charge if there is one, in a transaction that it shares with others. */
  #enter<T>(entry: Entry, charge?: Charge): Promise<T> {
    return this.#run(({ writes }) => {
      if (charge !== undefined) checkCharge(charge);
      return writes.add<T>(entry);
    });
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
      const batch = new ChargeBatch(db);
      const queries = queriesOn(db);
      let truncatedAt = Number.NEGATIVE_INFINITY;
      const disk = db.memory ? undefined : walSync(db);
      const writes = new GroupCommit<Entry>(db, this.#clock, {
        fault: ledgerFault,
        ready: disk?.ready,
        sync: disk?.sync,
        // Beside 64 calls of a batch a sync that holds the loop takes a tenth of its time (2026-11).
        hasTime: ({ paid }) => paid === undefined || paid.resumes === true,
        // On a full disk, the log takes the room of everything else.
        onFull: () => {
          const now = elapsed(this.#clock);
          if (disk === undefined || now - truncatedAt < truncateInterval) return;
          truncatedAt = now;
          truncateLog(opened);
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

/** Makes entries in their order. A group of answered calls takes few statements; it rejects where not all can be paid. */
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
    // Looking costs no lock, and most of the time nothing was left behind.
    if (recovery.findAbandoned(now).length === 0) return;
    await stores.transaction((queries) => recovery.recover(queries, now));
  } catch {
    // Credits that wait a minute longer are no reason to refuse a call. The call itself will meet and report a fault
    // of the file.
  }
}
