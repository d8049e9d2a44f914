import type { Clock } from '../../../../lib/runtime/clock.js';
import type { Mailer } from '../mail/mailer.js';

/** Milliseconds after which an unused session ends. */
export const sessionIdleMs = 30 * 24 * 3_600_000;

/** A signed-in browser. */
export interface Session {
  /** `ses_…`: identifies the session without granting access to it. */
  readonly id: string;
  readonly account: string;
  readonly email: string;
  /** The browser's user agent, shortened, by which its owner recognises it. */
  readonly browser: string;
  /** ISO 8601 UTC. */
  readonly created_at: string;
  readonly last_used_at: string;
}

export interface LinkRequest {
  readonly email: string;
  /** Network address of the request, for the limits on mail. */
  readonly address: string;
  /** Where to go after signing in: a path of the dashboard, checked by the caller. */
  readonly next: string;
  /** The secret that the browser received for an earlier request, so that the code of that one also works. */
  readonly browser?: string | undefined;
}

/** The outcome of a typed code: a session, or null with the number of tries left. */
export type CodeResult =
  | { readonly signedIn: SignedIn }
  | { readonly signedIn: null; readonly triesLeft: number };

/** Where the links of mails lead, with the token as `token`. The dashboard serves a page there. */
export const signInPath = '/sign-in/confirm';

export interface SignedIn {
  readonly session: Session;
  /** Secret of the session's cookie. It is stored hashed, and in clear only in this result. */
  readonly secret: string;
  readonly next: string;
  /** True if this sign-in created the account. */
  readonly isNew: boolean;
}

/** What sign-in needs, whatever store has the sessions. */
export interface SignInOptions {
  readonly mailer: Mailer;
  readonly clock: Clock;
  /** Address of the dashboard, without a trailing slash. */
  readonly publicUrl: string;
  /** Domains that may sign in although they are listed as disposable. */
  readonly emailAllow: readonly string[];
}

/** The port to signing in by a mailed link. Times are the injected clock's. */
export interface SignIn {
  /**
   * Mails a link that works once, for a quarter of an hour, in any browser. The mail has a code for the browser with
   * the secret `browser`, which this returns for a cookie. Earlier links continue to work. The result is the same
   * whether the address has an account or not. Rejects `invalid_parameter` for an invalid address, and
   * `disposable_email`. Rejects `rate_limited` above the hourly limit of a network, of a network to one address, or of
   * one address whose newest link works. Rejects `internal_error` if the mail cannot be sent.
   */
  request(request: LinkRequest): Promise<{ readonly browser: string }>;
  /** Returns the address that a link signs in; null for a link that is unknown, used or expired. Changes nothing. */
  findAddress(token: string): Promise<string | null>;
  /**
   * Opens a session with the link's token. The first sign-in creates the account, confirms its address and grants the
   * trial once. Null for a link that is unknown, used or expired.
   */
  confirm(token: string, userAgent: string): Promise<SignedIn | null>;
  /**
   * The same with the six digits of one of the newest mails of the requesting browser. Tries are counted: after a few,
   * only the mail's link works.
   */
  confirmCode(code: string, browser: string | undefined, userAgent: string): Promise<CodeResult>;
  /**
   * Returns the session of a cookie's secret and records its use. Null if there is none, or if it was unused for thirty
   * days.
   */
  findSession(secret: string): Promise<Session | null>;
  /** Returns live sessions of an account, last used first. */
  listSessions(account: string): Promise<readonly Session[]>;
  /** Returns when a session of the account was last used, in ISO 8601 UTC; null if unknown. */
  findLastUse(account: string): Promise<string | null>;
  /** Ends a session. Returns false if the account has no such session. */
  endSession(account: string, id: string): Promise<boolean>;
}

/** Where the operator's link leads, with the token as `token`. The dashboard serves a page there. */
export const adminSignInPath = '/admin/sign-in';

/** Milliseconds that an admin session lasts. */
export const adminSessionMs = 12 * 3_600_000;

/** The operator's access to the admin page: a link that works once, and a separate kind of session. */
export interface AdminSignIn {
  /** Creates the token of a one-time link, which works for an hour. An earlier unused one ends. */
  createLink(): Promise<string>;
  /** Returns true for a token that `confirm` would accept. Changes nothing. */
  isGood(token: string): Promise<boolean>;
  /** Returns the secret of an admin session of twelve hours; null for a token that is unknown, used or expired. */
  confirm(token: string): Promise<string | null>;
  /** Returns true while the session of a secret lasts. */
  isOpen(secret: string): Promise<boolean>;
  /** Ends the session of a secret. */
  endSession(secret: string): Promise<void>;
}
