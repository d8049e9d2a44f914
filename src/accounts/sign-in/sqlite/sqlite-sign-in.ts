import { timingSafeEqual } from 'node:crypto';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { LedgerDatabase } from '../../../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { emailAddress } from '../../email-address.js';
import type { KeyedDigest } from '../../keyed-digest.js';
import type { Mailer } from '../../mail/mailer.js';
import type { Users } from '../../sqlite/users.js';
import { isDisposable } from '../disposable.js';
import { type LinkRequest, type Session, type SignedIn, type SignIn, signInPath } from '../sign-in.js';
import { signInMail } from '../sign-in-mail.js';
import { newToken, tokenDigest } from '../token.js';
import { MailLimits } from './mail-limits.js';
import { Sessions } from './sessions.js';

export interface SignInOptions {
  readonly books: LedgerDatabase;
  readonly holders: Users;
  readonly digest: KeyedDigest;
  readonly mailer: Mailer;
  readonly clock: Clock;
  /** Where the dashboard is, without a trailing slash. */
  readonly publicUrl: string;
  /** Domains that may sign in although they are listed as disposable. */
  readonly emailAllow: readonly string[];
}

interface LinkRow {
  readonly browser: Buffer;
  readonly email: string;
  readonly next: string;
}

/** Milliseconds that a link is good for. */
const linkMs = 15 * 60_000;

/** Signing in, in the file of the ledger: an account, its trial and its session are made together. */
export class SqliteSignIn implements SignIn {
  readonly #options: SignInOptions;
  readonly #limits: MailLimits;
  readonly #sessions: Sessions;
  readonly #sql;

  constructor(options: SignInOptions) {
    const { books, digest } = options;
    this.#options = options;
    this.#limits = new MailLimits(books.db, digest);
    this.#sessions = new Sessions(books);
    this.#sql = {
      sweep: books.db.prepare<[number]>('DELETE FROM sign_in_links WHERE created_at <= ?'),
      add: books.db.prepare<[Buffer, Buffer, string, string, number]>(
        'INSERT INTO sign_in_links (digest, browser, email, next, created_at) VALUES (?, ?, ?, ?, ?)',
      ),
      find: books.db.prepare<[Buffer, number], LinkRow>(
        'SELECT browser, email, next FROM sign_in_links WHERE digest = ? AND created_at > ?',
      ),
      remove: books.db.prepare<[Buffer]>('DELETE FROM sign_in_links WHERE digest = ?'),
    };
  }

  async request({ email, address, next, browser: earlier }: LinkRequest): Promise<{ browser: string }> {
    const { books, mailer, clock, publicUrl, emailAllow } = this.#options;
    const to = emailAddress(email);
    if (await isDisposable(to, emailAllow)) throw new ExtractError('disposable_email');
    const browser = earlier !== undefined && tokenDigest(earlier) !== null ? earlier : newToken();
    const token = newToken();
    const digest = tokenDigest(token) as Buffer;
    const counted = await books.write(() => {
      const now = clock.now();
      const mail = this.#limits.count(to, address, now);
      this.#sql.sweep.run(now - linkMs);
      this.#sql.add.run(digest, tokenDigest(browser) as Buffer, to, next, now);
      return mail;
    });
    try {
      await mailer.send(signInMail(to, `${publicUrl}${signInPath}?token=${token}`));
    } catch (cause) {
      await books.write(() => {
        counted.forget();
        this.#sql.remove.run(digest);
      });
      throw cause;
    }
    return { browser };
  }

  async confirm(token: string, browser: string | undefined, userAgent: string): Promise<SignedIn | null> {
    const { books, holders, clock } = this.#options;
    const digest = tokenDigest(token);
    const holds = tokenDigest(browser ?? '');
    // Whoever opens the link without the secret, such as a scanner of mails, changes nothing: not even a lock is taken.
    if (digest === null || holds === null || this.#link(digest, holds) === null) return null;
    return books.write(() => {
      const link = this.#link(digest, holds);
      if (link === null) return null;
      const now = clock.now();
      this.#sql.remove.run(digest);
      const known = holders.byEmail(link.email)?.account;
      const account = known ?? holders.open(link.email, now);
      holders.confirm(account, now);
      const opened = this.#sessions.open(account, userAgent, now);
      return { ...opened, next: link.next, isNew: known === undefined };
    });
  }

  session(secret: string): Promise<Session | null> {
    return this.#sessions.use(secret, this.#options.clock.now());
  }

  async sessions(account: string): Promise<readonly Session[]> {
    return this.#sessions.list(account, this.#options.clock.now());
  }

  end(account: string, id: string): Promise<boolean> {
    return this.#sessions.end(account, id);
  }

  /** The live link of a token, for the browser that asked for it. */
  #link(digest: Buffer, browser: Buffer): LinkRow | null {
    const link = this.#sql.find.get(digest, this.#options.clock.now() - linkMs);
    return link !== undefined && timingSafeEqual(link.browser, browser) ? link : null;
  }
}
