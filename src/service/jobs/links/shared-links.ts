import type { LinkKind, SharedLink } from './link-objects.js';
import type { FoundLink, LinkSubject, NewLink } from './shared-link.js';

/**
 * The port to links that read one job or one schedule without a key. A link ends with its account, and with the schedule
 * that it reads. Each method that changes something resolves when it is on the disk.
 */
export interface SharedLinks {
  /**
   * Makes a link; its token is in this answer and nowhere else. Rejects `job_not_found`, `results_expired`,
   * `schedule_not_found`, `schedule_ended`, and `invalid_parameter` for a feed of what keeps no history and for an account
   * with too many links.
   */
  create(account: string, subject: LinkSubject, kind: LinkKind): Promise<NewLink>;
  /** The links to an account's job or schedule, newest first. */
  list(account: string, subject: LinkSubject): Promise<readonly SharedLink[]>;
  /** Ends a link: the next read fails. Rejects `link_not_found`. */
  revoke(account: string, subject: LinkSubject, id: string): Promise<void>;
  /** The link of a token. Rejects `link_not_found`. */
  find(token: string): Promise<FoundLink>;
  /** Notes that a link was read; nobody waits for it. */
  noteRead(id: string): void;
  /** The job whose results a table has: a schedule's newest one that is done. Rejects `job_not_finished` while there is none. */
  findTableJob(link: FoundLink): Promise<string>;
}
