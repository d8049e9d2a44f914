import { ulid } from 'ulid';
import type { Database } from '../../../../lib/database/database.js';
import { LastUses } from '../../../../lib/database/last-uses.js';
import type { Queries } from '../../../../lib/database/queries.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { isoOrNull, isoTime } from '../../../../lib/read/iso-time.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { newToken, tokenDigest } from '../../accounts/digests.js';
import { lineOptionsOf } from '../job-row.js';
import { lockJob, ownedBy } from '../job-rows.js';
import { heldRow } from '../schedules/schedule-store.js';
import type { LinkKind, SharedLink } from './link-objects.js';
import { type FoundLink, type LinkSubject, maxLinks } from './shared-link.js';

interface LinkRow {
  readonly id: string;
  readonly account: string;
  readonly subject: string;
  readonly kind: LinkKind;
  readonly prefix: string;
  readonly created_at: number;
  readonly last_read_at: number | null;
}

/** Arbitrary, the same in all versions: locks of accounts that create links. */
const lockClass = 724_104;
/** Characters of a token in lists. The 37 others cannot be guessed. */
const prefixLength = 6;

const toLink = ({ id, kind, prefix, created_at: created, last_read_at: readAt }: LinkRow): SharedLink => ({
  ...{ id, kind, prefix, created_at: isoTime(created) },
  last_read_at: isoOrNull(readAt),
});

export class LinkStore {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #reads: LastUses;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#reads = new LastUses(database, () => 'UPDATE shared_links SET last_read_at = $2 WHERE id = $1');
  }

  /**
   * Creates a link. Only this result holds its token. Rejects `job_not_found`, `results_expired`, `schedule_not_found`,
   * `schedule_ended`, and `invalid_parameter` for a feed without a history and for an account with too many links.
   */
  create(account: string, subject: LinkSubject, kind: LinkKind) {
    return this.#database.transaction(async (queries) => {
      // Creates an account's links one after the other, because their number is limited.
      await queries.lock(lockClass, account);
      // Locks the subject. If it is ending, no link is created; otherwise its end waits for the new link, and ends it,
      // too.
      await checkSubject(queries, account, subject, kind);
      // Links to deleted results make room.
      await queries.run(
        `DELETE FROM shared_links WHERE account = $1
           AND EXISTS (SELECT 1 FROM jobs WHERE jobs.id = shared_links.subject AND jobs.deleted = 1)`,
        [account],
      );
      const links = await queries.first<{ readonly count: number }>(
        'SELECT count(*) AS count FROM shared_links WHERE account = $1',
        [account],
      );
      if ((links?.count ?? 0) >= maxLinks) {
        throw new ExtractError(
          'invalid_parameter',
          `An account can have at most ${maxLinks} shared links. Revoke one first.`,
        );
      }
      const token = newToken();
      const now = this.#clock.now();
      const row: LinkRow = {
        ...{ id: `link_${ulid(now)}`, account, subject: subject.id, kind },
        ...{ prefix: token.slice(0, prefixLength), created_at: now, last_read_at: null },
      };
      await queries.run(
        `INSERT INTO shared_links (id, account, subject, kind, digest, prefix, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [row.id, account, row.subject, kind, tokenDigest(token), row.prefix, now],
      );
      return { ...toLink(row), token };
    });
  }

  /** Returns the links to an account's job or schedule, newest first. */
  async list(account: string, { id }: LinkSubject): Promise<readonly SharedLink[]> {
    const rows = await this.#database.read((queries) =>
      queries.rows<LinkRow>(
        'SELECT * FROM shared_links WHERE account = $1 AND subject = $2 ORDER BY id DESC',
        [account, id],
      ),
    );
    return rows.map(toLink);
  }

  /** Ends a link; the next read fails. Rejects `link_not_found`. */
  async revoke(account: string, subject: LinkSubject, id: string): Promise<void> {
    const revoked = await this.#database.write((queries) =>
      queries.run('DELETE FROM shared_links WHERE account = $1 AND subject = $2 AND id = $3', [
        ...[account, subject.id, id],
      ]),
    );
    if (revoked === 0) throw new ExtractError('link_not_found');
  }

  /** Returns the link of a token. Rejects `link_not_found`. */
  async find(token: string): Promise<FoundLink> {
    const digest = tokenDigest(token);
    const row =
      digest === null
        ? undefined
        : await this.#database.read((queries) =>
            queries.first<LinkRow>('SELECT * FROM shared_links WHERE digest = $1', [digest]),
          );
    if (row === undefined) throw new ExtractError('link_not_found');
    const { id, account, kind, subject } = row;
    const type = subject.startsWith('job_') ? 'job' : 'schedule';
    return { id, account, kind, subject: { type, id: subject } };
  }

  /** Records a read without making the reader wait. */
  noteRead(id: string): void {
    this.#reads.note(id, this.#clock.now());
  }

  /**
   * Returns the job whose results a table shows: of a schedule, the newest finished one. Rejects `job_not_finished` if
   * there is none.
   */
  async findTableJob({ subject: { type, id } }: FoundLink): Promise<string> {
    if (type === 'job') return id;
    const row = await this.#database.read((queries) =>
      queries.first<{ readonly id: string }>(
        `SELECT jobs.id FROM schedule_runs JOIN jobs ON jobs.id = schedule_runs.job
         WHERE schedule_runs.schedule = $1 AND jobs.status = 'done' ORDER BY number DESC LIMIT 1`,
        [id],
      ),
    );
    if (row === undefined) {
      throw new ExtractError('job_not_finished', 'No run of the schedule has finished yet.');
    }
    return row.id;
  }

  /** Ends an account's links, after its jobs and schedules were deleted. Must run in a transaction. */
  async deleteAccount(queries: Queries, { account }: { readonly account: string }): Promise<void> {
    await queries.run('DELETE FROM shared_links WHERE account = $1', [account]);
  }
}

/** Locks the subject of a link until the transaction ends. Rejects as `SharedLinks.create` does. */
async function checkSubject(
  queries: Queries,
  account: string,
  { type, id }: LinkSubject,
  kind: LinkKind,
): Promise<void> {
  if (type === 'job') {
    const { deleted } = ownedBy(account, await lockJob(queries, id));
    if (deleted === 1) throw new ExtractError('results_expired');
    if (kind === 'feed') {
      throw new ExtractError(
        'invalid_parameter',
        'A feed lists the changes of a schedule, but a job runs once. Create a link of kind table.',
      );
    }
    return;
  }
  const row = await heldRow(queries, account, id);
  if (row.status === 'ended') throw new ExtractError('schedule_ended');
  if (kind === 'feed' && lineOptionsOf(row).history !== true) {
    throw new ExtractError(
      'invalid_parameter',
      'A feed lists changes, but the schedule has no history. Create a schedule with "history": true.',
    );
  }
}
