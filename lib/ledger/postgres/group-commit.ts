import { GroupQueue, type Outcome } from '../../database/group-queue.js';
import type { SessionSettings } from '../../database/postgres/connect.js';
import type { Postgres } from '../../database/postgres/postgres.js';
import type { Queries } from '../../database/queries.js';
import { StorageError, type StorageFault } from '../../errors/storage-error.js';
import type { Clock } from '../../runtime/clock.js';
import { makeEntries, type Posting } from '../entries.js';
import { refundedCall } from '../postings.js';
import { type BatchedCharge, chargeTogether } from './charge-batch.js';
import { noteCommit, type UnheardCommits } from './unheard-commits.js';

interface Entry {
  readonly posting: Posting<unknown>;
  /** The call of a posting that only charges a new id. */
  readonly charge: BatchedCharge | undefined;
}

/** Retries of a group when another process wrote the same id at the same moment. */
const maxTries = 3;

/** SQLSTATEs of a row with the same id, and of a number that a CHECK rejects. */
const constraintViolations: ReadonlySet<unknown> = new Set(['23505', '23514']);

/** Returns true if a statement found unexpected data in the books and therefore changed nothing. */
function isConstraintViolation(fault: unknown): boolean {
  return (
    fault instanceof StorageError &&
    constraintViolations.has((fault.cause as { readonly code?: unknown } | null)?.code)
  );
}

/**
 * Settings of the groups' connection. Statements look rows up by id, so one plan each serves all groups. Replanning the
 * charge took half of its time (measured 2026-11). A plan made while a table was empty scans the whole table.
 */
export const groupSession: SessionSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
};

/** Faults after which the outcome of the commit is unknown. */
const unsure: ReadonlySet<StorageFault> = new Set(['unreachable', 'failed']);

/** The outcomes of a group, and the calls it left charged. */
interface GroupResult {
  readonly outcomes: readonly Outcome[];
  readonly charged: readonly string[];
}

/**
 * Makes entries in groups that share a transaction. A group of charges that all fit is one statement. Otherwise its
 * books are locked and the entries are written one by one. A charge is reported only after the database has recorded
 * that it will be.
 */
export type GroupCommit = ReturnType<typeof groupCommit>;

/**
 * `owner` names this process in the rows of its calls. `register` resolves once this process is known to be running,
 * and is awaited before such rows are written.
 */
export function groupCommit(
  postgres: Postgres,
  clock: Clock,
  owner: string,
  register: () => Promise<void>,
  commits: UnheardCommits,
) {
  const queue = new GroupQueue<Entry>((group) => runGroup(group));

  async function runGroup(group: readonly Entry[]): Promise<readonly Outcome[]> {
    await register();
    const number = commits.begin();
    const { outcomes, charged } = await commit(group, number);
    if (charged.length === 0) {
      commits.forget(number);
      return outcomes;
    }
    const fault = await hear(number, charged);
    if (fault === null) return outcomes;
    const isCharged = new Set(charged);
    return outcomes.map((outcome, at) =>
      isCharged.has(group[at]?.posting.charges ?? '') && 'value' in outcome ? { reason: fault } : outcome,
    );
  }

  async function commit(group: readonly Entry[], number: number): Promise<GroupResult> {
    try {
      const charges = group.flatMap(({ charge }) => charge ?? []);
      const isPlain = charges.length === group.length;
      const values = isPlain ? await together(charges, number) : null;
      if (values === null) return await oneByOne(group, number);
      return {
        outcomes: values.map((value) => ({ value })),
        charged: charges.map(({ charge }) => charge.id),
      };
    } catch (fault) {
      // After other faults nothing was changed.
      const isUnsure = fault instanceof StorageError && unsure.has(fault.fault);
      if (isUnsure) commits.lose(number, null);
      else commits.forget(number);
      throw fault;
    }
  }

  /**
   * Records in the database that a commit's callers are notified. Resolves with the error they receive instead if they
   * must not be.
   */
  async function hear(number: number, charged: readonly string[]): Promise<unknown> {
    try {
      if (await postgres.write((queries) => commits.hear(queries, number))) return null;
      commits.lose(number, charged);
      return refundedCall();
    } catch (fault) {
      commits.lose(number, charged);
      return fault;
    }
  }

  /** Null if the charges do not all fit. */
  async function together(
    charges: readonly BatchedCharge[],
    number: number,
  ): Promise<readonly number[] | null> {
    const work = (queries: Queries) => chargeTogether(queries, charges, { owner, number, now: clock.now() });
    try {
      return await postgres.write(work);
    } catch (fault) {
      if (isConstraintViolation(fault)) return null;
      throw fault;
    }
  }

  async function oneByOne(group: readonly Entry[], number: number): Promise<GroupResult> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await postgres.transaction(async (queries) => {
          const postings = group.map(({ posting }) => posting);
          const outcomes = await makeEntries(queries, postings, clock.now());
          const charged = group.flatMap(({ posting: { charges } }, at) =>
            charges === null || 'reason' in (outcomes[at] ?? {}) ? [] : charges,
          );
          if (charged.length > 0) await noteCommit(queries, { node: owner, number, calls: charged });
          return { outcomes, charged };
        });
      } catch (fault) {
        if (!isConstraintViolation(fault) || tries >= maxTries) throw fault;
      }
    }
  }

  return {
    /** Makes an entry and resolves with its result once it is on disk. Rejects with the entry's error. */
    run: <T>(posting: Posting<T>, charge?: BatchedCharge): Promise<T> => queue.add<T>({ posting, charge }),
  };
}
