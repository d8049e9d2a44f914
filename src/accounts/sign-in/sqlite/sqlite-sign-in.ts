import { timingSafeEqual } from 'node:crypto';
import type { LedgerDatabase } from '../../../../lib/ledger/sqlite/sqlite-ledger.js';
import { type KeyedDigest, tokenDigest } from '../../digests.js';
import type { Users } from '../../sqlite/users.js';
import { codeDigest, makeLink, triesLeft } from '../mailed-link.js';
import type { CodeResult, LinkRequest, Session, SignedIn, SignIn, SignInOptions } from '../sign-in.js';
import { maxCodeTries, typedCode } from '../sign-in-mail.js';
import { MailLimits } from './mail-limits.js';
import type { Sessions } from './sessions.js';
import type { SignInLinks } from './sign-in-links.js';

export interface SqliteSignInOptions extends SignInOptions {
  readonly database: LedgerDatabase;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly links: SignInLinks;
  readonly digest: KeyedDigest;
}

/** Signing in, in the file of the ledger: an account, its trial and its session are made together. */
export class SqliteSignIn implements SignIn {
  readonly #options: SqliteSignInOptions;
  readonly #limits: MailLimits;

  constructor(options: SqliteSignInOptions) {
    this.#options = options;
    this.#limits = new MailLimits(options.database.db, options.digest);
  }

  async request(request: LinkRequest): Promise<{ browser: string }> {
    const { database, links, mailer, clock } = this.#options;
    const { digest, link, browser, mail } = await makeLink(request, this.#options);
    const counted = await database.write(() => {
      const now = clock.now();
      const count = this.#limits.count(link.email, request.address, now);
      links.add(digest, link, now);
      return count;
    });
    try {
      await mailer.send(mail);
    } catch (cause) {
      await database.write(() => {
        counted.forget();
        links.remove(digest);
      });
      throw cause;
    }
    return { browser };
  }

  async findAddress(token: string): Promise<string | null> {
    const { database, links, clock } = this.#options;
    const digest = tokenDigest(token);
    if (digest === null) return null;
    return database.read(() => links.find(digest, clock.now())?.email ?? null);
  }

  async confirm(token: string, userAgent: string): Promise<SignedIn | null> {
    const { database, clock } = this.#options;
    const digest = tokenDigest(token);
    // A guess costs no write.
    if (digest === null || (await this.findAddress(token)) === null) return null;
    return database.write(() => this.#open(digest, userAgent, clock.now()));
  }

  async confirmCode(code: string, browser: string | undefined, userAgent: string): Promise<CodeResult> {
    const { database, links, clock } = this.#options;
    const holder = tokenDigest(browser ?? '');
    const none: CodeResult = { signedIn: null, triesLeft: 0 };
    if (holder === null) return none;
    if ((await database.read(() => links.ofBrowser(holder, clock.now()).length)) === 0) return none;
    const given = codeDigest(this.#options.digest, typedCode(code), holder);
    return database.write(() => {
      const now = clock.now();
      const live = links
        .ofBrowser(holder, now)
        .filter(({ tries, email }) => tries < maxCodeTries && this.#limits.allowsCode(email, now));
      const found = live.find((link) => timingSafeEqual(link.code, given));
      const signedIn = found === undefined ? null : this.#open(found.digest, userAgent, now);
      if (signedIn !== null) return { signedIn };
      for (const { digest } of live) links.countTry(digest);
      for (const email of new Set(live.map((link) => link.email))) this.#limits.countWrongCode(email, now);
      return { signedIn: null, triesLeft: triesLeft(live) };
    });
  }

  /** Uses a link up and opens its session; inside a transaction. Null for a link that is not there any more. */
  #open(digest: Buffer, userAgent: string, now: number): SignedIn | null {
    const { users, sessions, links } = this.#options;
    const link = links.find(digest, now);
    if (link === null) return null;
    links.remove(digest);
    const known = users.byEmail(link.email)?.account;
    const account = known ?? users.open(link.email, now);
    users.confirm(account, now);
    return { ...sessions.open(account, userAgent, now), next: link.next, isNew: known === undefined };
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
