import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../../../../lib/database/database.js';
import type { Queries } from '../../../../lib/database/queries.js';
import { type KeyedDigest, tokenDigest } from '../digests.js';
import type { Users } from '../users.js';
import { countMail } from './mail-limits.js';
import { codeDigest, makeLink } from './mailed-link.js';
import type { Sessions } from './sessions.js';
import type { CodeResult, LinkRequest, Session, SignedIn, SignInOptions } from './sign-in.js';
import type { SignInLinks } from './sign-in-links.js';
import { maxCodeTries, typedCode } from './sign-in-mail.js';

export interface SignInStoreOptions extends SignInOptions {
  readonly database: Database;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly links: SignInLinks;
  readonly digest: KeyedDigest;
}

/** Sign-in. An account, its trial and its session are created together. */
export class SignInStore {
  readonly #options: SignInStoreOptions;

  constructor(options: SignInStoreOptions) {
    this.#options = options;
  }

  /**
   * Mails a single-use link that works for a quarter of an hour in any browser, with a code for the browser that has
   * the secret `browser`; returns that secret for a cookie. Earlier links keep working. The result does not depend on
   * whether the address has an account. Rejects `invalid_parameter` for an invalid address, and `disposable_email`.
   * Rejects `rate_limited` above the hourly limit of a network, of a network to one address, or of one address whose
   * newest link works. Rejects `internal_error` if the mail cannot be sent.
   */
  async request(request: LinkRequest): Promise<{ browser: string }> {
    const { database, links, mailer, clock, digest: keyed } = this.#options;
    const { digest, link, browser, mail } = await makeLink(request, this.#options);
    const mailCount = await database.transaction(async (queries) => {
      const now = clock.now();
      const liveUntil = () => links.liveUntil(queries, link.email, now);
      const count = await countMail(queries, keyed, { ...request, email: link.email, liveUntil }, now);
      await links.add(queries, digest, link, now);
      return count;
    });
    try {
      await mailer.send(mail);
    } catch (cause) {
      await database.transaction(async (queries) => {
        await mailCount.forget(queries);
        await links.remove(queries, digest);
      });
      throw cause;
    }
    return { browser };
  }

  /** Returns the address of a link; null if it is unknown, used or expired. Changes nothing. */
  async findAddress(token: string): Promise<string | null> {
    const { database, links, clock } = this.#options;
    const digest = tokenDigest(token);
    if (digest === null) return null;
    return database.read((queries) => links.emailOf(queries, digest, clock.now()));
  }

  /**
   * Opens a session with a link's token. The first sign-in creates the account, confirms its address and grants the
   * trial. Null if the link is unknown, used or expired.
   */
  async confirm(token: string, userAgent: string): Promise<SignedIn | null> {
    const { database, clock } = this.#options;
    const digest = tokenDigest(token);
    // A guess must not cause a write.
    if (digest === null || (await this.findAddress(token)) === null) return null;
    return database.transaction((queries) => this.#open(queries, digest, userAgent, clock.now()));
  }

  /**
   * Opens a session with the six digits of one of the browser's newest mails. Tries are counted: after a few, only the
   * link works.
   */
  async confirmCode(code: string, browser: string | undefined, userAgent: string): Promise<CodeResult> {
    const { database, links, clock } = this.#options;
    const holder = tokenDigest(browser ?? '');
    const none: CodeResult = { signedIn: null, triesLeft: 0 };
    if (holder === null) return none;
    // A guess without a mail must not cause a write.
    if (!(await database.read((queries) => links.hasCode(queries, holder, clock.now())))) return none;
    const codeHash = codeDigest(this.#options.digest, typedCode(code), holder);
    return database.transaction(async (queries) => {
      const now = clock.now();
      const tried = await links.takeTries(queries, holder, now);
      const match = tried.find((link) => timingSafeEqual(link.code, codeHash));
      const signedIn = match === undefined ? null : await this.#open(queries, match.digest, userAgent, now);
      if (signedIn !== null) return { signedIn };
      return { signedIn: null, triesLeft: Math.max(0, ...tried.map(({ tries }) => maxCodeTries - tries)) };
    });
  }

  /** Uses up a link and opens its session, inside a transaction; null if it no longer exists. */
  async #open(queries: Queries, digest: Buffer, userAgent: string, now: number): Promise<SignedIn | null> {
    const { users, sessions, links } = this.#options;
    const link = await links.take(queries, digest, now);
    if (link === null) return null;
    const { user, isNew } = await users.enter(queries, link.email, now);
    await users.confirm(queries, user, now);
    return { ...(await sessions.open(queries, user, userAgent, now)), next: link.next, isNew };
  }

  /** Returns the session of a cookie and records its use. Null if there is none, or it was unused for thirty days. */
  findSession(secret: string): Promise<Session | null> {
    return this.#options.sessions.use(secret, this.#options.clock.now());
  }

  /** Returns live sessions of an account, last used first. */
  listSessions(account: string): Promise<readonly Session[]> {
    return this.#options.sessions.list(account, this.#options.clock.now());
  }

  /** Returns when a session of the account was last used, in ISO 8601 UTC; null if unknown. */
  findLastUse(account: string): Promise<string | null> {
    return this.#options.sessions.lastUsedAt(account);
  }

  /** Ends a session. Returns false if the account has no such session. */
  endSession(account: string, id: string): Promise<boolean> {
    return this.#options.sessions.end(account, id);
  }
}
