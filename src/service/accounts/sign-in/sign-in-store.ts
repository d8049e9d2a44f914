import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../../../../lib/database/database.js';
import type { Queries } from '../../../../lib/database/queries.js';
import { type KeyedDigest, tokenDigest } from '../digests.js';
import type { Users } from '../users.js';
import { MailLimits } from './mail-limits.js';
import { codeDigest, makeLink } from './mailed-link.js';
import type { Sessions } from './sessions.js';
import type { CodeResult, LinkRequest, Session, SignedIn, SignIn, SignInOptions } from './sign-in.js';
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
export class SignInStore implements SignIn {
  readonly #options: SignInStoreOptions;
  readonly #limits: MailLimits;

  constructor(options: SignInStoreOptions) {
    this.#options = options;
    this.#limits = new MailLimits(options.digest);
  }

  async request(request: LinkRequest): Promise<{ browser: string }> {
    const { database, links, mailer, clock } = this.#options;
    const { digest, link, browser, mail } = await makeLink(request, this.#options);
    const mailCount = await database.transaction(async (queries) => {
      const now = clock.now();
      const liveUntil = () => links.liveUntil(queries, link.email, now);
      const count = await this.#limits.count(queries, { ...request, email: link.email, liveUntil }, now);
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

  async findAddress(token: string): Promise<string | null> {
    const { database, links, clock } = this.#options;
    const digest = tokenDigest(token);
    if (digest === null) return null;
    return database.read((queries) => links.emailOf(queries, digest, clock.now()));
  }

  async confirm(token: string, userAgent: string): Promise<SignedIn | null> {
    const { database, clock } = this.#options;
    const digest = tokenDigest(token);
    // A guess must not cause a write.
    if (digest === null || (await this.findAddress(token)) === null) return null;
    return database.transaction((queries) => this.#open(queries, digest, userAgent, clock.now()));
  }

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

  findSession(secret: string): Promise<Session | null> {
    return this.#options.sessions.use(secret, this.#options.clock.now());
  }

  listSessions(account: string): Promise<readonly Session[]> {
    return this.#options.sessions.list(account, this.#options.clock.now());
  }

  findLastUse(account: string): Promise<string | null> {
    return this.#options.sessions.lastUsedAt(account);
  }

  endSession(account: string, id: string): Promise<boolean> {
    return this.#options.sessions.end(account, id);
  }
}
