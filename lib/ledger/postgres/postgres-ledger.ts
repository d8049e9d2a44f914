import { randomUUID } from 'node:crypto';
import type { Postgres } from '../../database/postgres/postgres.js';
import { ExtractError } from '../../errors/extract-error.js';
import type { Clock } from '../../runtime/clock.js';
import { balanceOf } from '../balances.js';
import { chargePosting, grant, type Posting, payPosting, refundPosting, settlePosting } from '../entries.js';
import type { Balance, Charge, Ending, Grant, Ledger, UsageQuery } from '../ledger.js';
import { checkCharge } from '../postings.js';
import { usagePage } from '../usage.js';
import type { UsageRow } from '../usage-row.js';
import { checkRoom } from './check-room.js';
import { type GroupCommit, groupCommit } from './group-commit.js';
import { createNodes, type Nodes } from './nodes.js';
import { UnheardCommits } from './unheard-commits.js';

/** The ledger in a PostgreSQL database, shared by any number of processes. The caller closes the database. */
export class PostgresLedger implements Ledger {
  /** Names this process in the rows of its calls. */
  readonly owner = `node_${randomUUID()}`;
  readonly #postgres: Postgres;
  readonly #writes: GroupCommit;
  readonly #nodes: Nodes;
  readonly #commits: UnheardCommits;
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;
  #closing: Promise<void> | undefined;

  /** Groups of entries are written through `groups`: optionally a dedicated connection with `groupSession`. */
  constructor(postgres: Postgres, clock: Clock, groups = postgres) {
    this.#postgres = postgres;
    this.#nodes = createNodes(postgres, clock, this.owner);
    this.#commits = new UnheardCommits(postgres, clock, this.owner);
    const register = () => this.#nodes.register();
    this.#writes = groupCommit(groups, clock, this.owner, register, this.#commits);
  }

  async charge(charge: Charge): Promise<void> {
    await this.#run(async () => {
      checkCharge(charge);
      return this.#enter(chargePosting(charge, this.owner), charge, false);
    });
  }

  pay(charge: Charge): Promise<number> {
    return this.#run(async () => {
      checkCharge(charge);
      return this.#enter(payPosting(charge, this.owner), charge, true);
    });
  }

  settle(id: string, ending: Ending): Promise<number> {
    return this.#run(() => this.#writes.run(settlePosting(id, ending)));
  }

  refund(id: string): Promise<number> {
    return this.#run(() => this.#writes.run(refundPosting(id)));
  }

  grant(entry: Grant): Promise<number> {
    return this.#run(() => this.#postgres.transaction((queries) => grant(queries, entry)));
  }

  balance(account: string): Promise<Balance> {
    return this.#run(() => this.#postgres.read((queries) => balanceOf(queries, account)));
  }

  usage(account: string, query: UsageQuery): Promise<{ rows: readonly UsageRow[]; next: string | null }> {
    return this.#run(() => this.#postgres.read((queries) => usagePage(queries, account, query)));
  }

  checkWritable(): Promise<void> {
    return this.#run(async () => {
      await this.#nodes.heartbeat();
      await this.#postgres.transaction(checkRoom);
    });
  }

  /** Starts this node's heartbeats: in a server at startup, in a command with its first charge. */
  begin(): Promise<void> {
    return this.#run(() => this.#nodes.register());
  }

  /** Refunds what silent nodes left open. Returns the number of calls. */
  refundAbandoned(): Promise<number> {
    return this.#run(() => this.#nodes.refundOrphans());
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    await Promise.allSettled(this.#running);
    await this.#commits.close();
    await this.#nodes.close();
  }

  /** Charges a call, grouped with concurrent charges. Only a new id can share a statement. */
  #enter<T>(posting: Posting<T>, charge: Charge, isPaid: boolean): Promise<T> {
    return this.#writes.run(posting, charge.resumes === true ? undefined : { charge, isPaid });
  }

  /** Runs one operation, for which `close` waits. */
  async #run<T>(operation: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new ExtractError('internal_error', 'The credit ledger is closed.');
    const run = operation();
    this.#running.add(run);
    try {
      return await run;
    } finally {
      this.#running.delete(run);
    }
  }
}
