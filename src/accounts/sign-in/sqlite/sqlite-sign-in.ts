import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { LedgerDatabase } from '../../../../lib/ledger/sqlite/sqlite-ledger.js';
import { type KeyedDigest, newToken, tokenDigest } from '../../digests.js';
import { emailAddress, isDisposable } from '../../email-address.js';
import type { Mail } from '../../mail/mailer.js';
import type { Users } from '../../sqlite/users.js';
import {
  type LinkRequest,
  type Session,
  type SignedIn,
  type SignIn,
  type SignInOptions,
  signInPath,
} from '../sign-in.js';
import { MailLimits } from './mail-limits.js';
import type { Sessions } from './sessions.js';
import type { SignInLinks } from './sign-in-links.js';

/** The mail with a link to sign in: the same for everybody, whether they have an account or not. */
function signInMail(to: string, link: string): Mail {
  const { host } = new URL(link);
  return {
    to,
    link,
    subject: `Sign in to ${host}`,
    text: `Open this link in the browser you asked from, to sign in to ${host}:

${link}

It works once, and for a quarter of an hour. If this is your first time, it makes your account.
If you did not ask for it, do nothing: nobody can sign in with your address without this mail.
`,
  };
}

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

  async request({ email, address, next, browser: earlier }: LinkRequest): Promise<{ browser: string }> {
    const { database, links, mailer, clock, publicUrl, emailAllow } = this.#options;
    const to = emailAddress(email);
    if (await isDisposable(to, emailAllow)) throw new ExtractError('disposable_email');
    const browser = earlier !== undefined && tokenDigest(earlier) !== null ? earlier : newToken();
    const token = newToken();
    const digest = tokenDigest(token) as Buffer;
    const counted = await database.write(() => {
      const now = clock.now();
      const mail = this.#limits.count(to, address, now);
      links.add(digest, { browser: tokenDigest(browser) as Buffer, email: to, next }, now);
      return mail;
    });
    try {
      await mailer.send(signInMail(to, `${publicUrl}${signInPath}?token=${token}`));
    } catch (cause) {
      await database.write(() => {
        counted.forget();
        links.remove(digest);
      });
      throw cause;
    }
    return { browser };
  }

  async confirm(token: string, browser: string | undefined, userAgent: string): Promise<SignedIn | null> {
    const { database, users, sessions, links, clock } = this.#options;
    const digest = tokenDigest(token);
    const holds = tokenDigest(browser ?? '');
    // Whoever opens the link without the secret, such as a scanner of mails, changes nothing: not even a lock is taken.
    if (digest === null || holds === null) return null;
    if ((await database.read(() => links.find(digest, holds, clock.now()))) === null) return null;
    return database.write(() => {
      const now = clock.now();
      const link = links.find(digest, holds, now);
      if (link === null) return null;
      links.remove(digest);
      const known = users.byEmail(link.email)?.account;
      const account = known ?? users.open(link.email, now);
      users.confirm(account, now);
      const opened = sessions.open(account, userAgent, now);
      return { ...opened, next: link.next, isNew: known === undefined };
    });
  }

  session(secret: string): Promise<Session | null> {
    return this.#options.sessions.use(secret, this.#options.clock.now());
  }

  sessions(account: string): Promise<readonly Session[]> {
    return this.#options.sessions.list(account, this.#options.clock.now());
  }

  lastUsedAt(account: string): Promise<string | null> {
    return this.#options.sessions.lastUsedAt(account);
  }

  end(account: string, id: string): Promise<boolean> {
    return this.#options.sessions.end(account, id);
  }
}
