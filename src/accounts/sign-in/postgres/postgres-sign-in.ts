import { timingSafeEqual } from 'node:crypto';
import type { Postgres } from '../../../../lib/postgres/postgres.js';
import type { Queries } from '../../../../lib/postgres/queries.js';
import { type KeyedDigest, tokenDigest } from '../../digests.js';
import type { Users } from '../../postgres/users.js';
import { codeDigest, makeLink, triesLeft } from '../mailed-link.js';
import type { CodeResult, LinkRequest, Session, SignedIn, SignIn, SignInOptions } from '../sign-in.js';
import { maxCodeTries, typedCode } from '../sign-in-mail.js';
import { MailLimits } from './mail-limits.js';
import type { Sessions } from './sessions.js';
import type { SignInLinks } from './sign-in-links.js';

export interface PostgresSignInOptions extends SignInOptions {
  readonly postgres: Postgres;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly links: SignInLinks;
  readonly digest: KeyedDigest;
}

/** Signing in, in PostgreSQL: an account, its trial and its session are made together. */
export class PostgresSignIn implements SignIn {
  readonly #options: PostgresSignInOptions;
  readonly #limits: MailLimits;

  constructor(options: PostgresSignInOptions) {
    this.#options = options;
    this.#limits = new MailLimits(options.digest);
  }

  async request(request: LinkRequest): Promise<{ browser: string }> {
    const { postgres, links, mailer, clock } = this.#options;
    const { digest, link, browser, mail } = await makeLink(request, this.#options);
    const counted = await postgres.transaction(async (queries) => {
      const now = clock.now();
      const count = await this.#limits.count(queries, link.email, request.address, now);
      await links.add(queries, digest, link, now);
      return count;
    });
    try {
      await mailer.send(mail);
    } catch (cause) {
      await postgres.transaction(async (queries) => {
        await counted.forget(queries);
        await links.remove(queries, digest);
      });
      throw cause;
    }
    return { browser };
  }

  async findAddress(token: string): Promise<string | null> {
    const { postgres, links, clock } = this.#options;
    const digest = tokenDigest(token);
    if (digest === null) return null;
    return postgres.read((queries) => links.emailOf(queries, digest, clock.now()));
  }

  async confirm(token: string, userAgent: string): Promise<SignedIn | null> {
    const { postgres, clock } = this.#options;
    const digest = tokenDigest(token);
    // A guess costs no write.
    if (digest === null || (await this.findAddress(token)) === null) return null;
    return postgres.transaction((queries) => this.#open(queries, digest, userAgent, clock.now()));
  }

  async confirmCode(code: string, browser: string | undefined, userAgent: string): Promise<CodeResult> {
    const { postgres, links, clock } = this.#options;
    const holder = tokenDigest(browser ?? '');
    const none: CodeResult = { signedIn: null, triesLeft: 0 };
    if (holder === null) return none;
    const open = await postgres.read((queries) => links.ofBrowser(queries, holder, clock.now()));
    if (open.length === 0) return none;
    const given = codeDigest(this.#options.digest, typedCode(code), holder);
    return postgres.transaction(async (queries) => {
      const now = clock.now();
      await this.#limits.lockCodes(
        queries,
        open.map(({ email }) => email),
      );
      const live = [];
      for (const link of await links.ofBrowser(queries, holder, now)) {
        const isOpen = link.tries < maxCodeTries && (await this.#limits.allowsCode(queries, link.email, now));
        if (isOpen) live.push(link);
      }
      const found = live.find((link) => timingSafeEqual(link.code, given));
      const signedIn = found === undefined ? null : await this.#open(queries, found.digest, userAgent, now);
      if (signedIn !== null) return { signedIn };
      for (const { digest } of live) await links.countTry(queries, digest);
      for (const email of new Set(live.map((link) => link.email))) {
        await this.#limits.countWrongCode(queries, email, now);
      }
      return { signedIn: null, triesLeft: triesLeft(live) };
    });
  }

  /** Uses a link up and opens its session; inside a transaction. Null for a link that is not there any more. */
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
