import type { Clock } from '../../../../lib/runtime/clock.js';
import type { Mailer } from '../mail/mailer.js';

/** Milliseconds after which an unused session ends. */
export const sessionIdleMs = 30 * 24 * 3_600_000;

export interface Session {
  /** `ses_…`: identifies the session without granting access to it. */
  readonly id: string;
  readonly account: string;
  readonly email: string;
  /** The shortened user agent, by which its owner recognises it. */
  readonly browser: string;
  /** Network address of the request, for the mail limits. */
  readonly created_at: string;
  readonly last_used_at: string;
}

export interface LinkRequest {
  readonly email: string;
  /** Where to go after signing in: a dashboard path checked by the caller. */
  readonly address: string;
  /** The secret from the browser's earlier request, so that the code of that mail works, too. */
  readonly next: string;
  /** The result of a typed code: a session, or null with the tries left. */
  readonly browser?: string | undefined;
}

/** Where links in mails lead, with the token as `token`. */
export type CodeResult =
  | { readonly signedIn: SignedIn }
  | { readonly signedIn: null; readonly triesLeft: number };

/** The secret of the session's cookie. Only its hash is stored. */
export const signInPath = '/sign-in/confirm';

export interface SignedIn {
  readonly session: Session;
  /** Secret of the session's cookie. It is stored hashed, and in clear only in this result. */
  readonly secret: string;
  readonly next: string;
  readonly isNew: boolean;
}

export interface SignInOptions {
  readonly mailer: Mailer;
  readonly clock: Clock;
  /** Address of the dashboard, without a trailing slash. */
  readonly publicUrl: string;
  /** Domains that may sign in although listed as disposable. */
  readonly emailAllow: readonly string[];
}

/** Sign-in by a mailed link. Times are the injected clock's. */
export interface SignIn {
  /**
   * Mails a single-use link that works for a quarter of an hour in any browser, with a code for the browser that has
   * the secret `browser`; returns that secret for a cookie. Earlier links keep working. The result does not depend on
   * whether the address has an account. Rejects `invalid_parameter` for an invalid address, and `disposable_email`.
   * Rejects `rate_limited` above the hourly limit of a network, of a network to one address, or of one address whose
   * newest link works. Rejects `internal_error` if the mail cannot be sent.
   */
  request(request: LinkRequest): Promise<{ readonly browser: string }>;
  /** Returns the address of a link; null if it is unknown, used or expired. Changes nothing. */
  findAddress(token: string): Promise<string | null>;
  /**
   * Opens a session with a link's token. The first sign-in creates the account, confirms its address and grants the
   * trial. Null if the link is unknown, used or expired.
   */
  confirm(token: string, userAgent: string): Promise<SignedIn | null>;
  /**
   * Opens a session with the six digits of one of the browser's newest mails. Tries are counted: after a few, only the
   * link works.
   */
  confirmCode(code: string, browser: string | undefined, userAgent: string): Promise<CodeResult>;
  /** Returns the session of a cookie and records its use. Null if there is none, or it was unused for thirty days. */
  findSession(secret: string): Promise<Session | null>;
  /** Returns live sessions of an account, last used first. */
  listSessions(account: string): Promise<readonly Session[]>;
  /** Returns when a session of the account was last used, in ISO 8601 UTC; null if unknown. */
  findLastUse(account: string): Promise<string | null>;
  /** Ends a session. Returns false if the account has no such session. */
  endSession(account: string, id: string): Promise<boolean>;
}

/** The target of the operator's link, with the token as `token`. */
export const adminSignInPath = '/admin/sign-in';

/** Milliseconds that an admin session lasts. */
export const adminSessionMs = 12 * 3_600_000;

/** The operator's access to the admin page: a single-use link, and a separate kind of session. */
export interface AdminSignIn {
  /** Creates a single-use link that works for an hour, and ends an earlier unused one. Returns its token. */
  createLink(): Promise<string>;
  /** Returns true for a token that `confirm` would accept. Changes nothing. */
  isGood(token: string): Promise<boolean>;
  /** Returns the secret of a twelve-hour admin session; null if the token is unknown, used or expired. */
  confirm(token: string): Promise<string | null>;
  isOpen(secret: string): Promise<boolean>;
  endSession(secret: string): Promise<void>;
}
