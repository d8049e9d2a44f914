import type { Clock } from '../../../../lib/runtime/clock.js';
import type { Mailer } from '../mail/mailer.js';

/** Milliseconds after which an unused session ends. */
export const sessionIdleMs = 30 * 24 * 3_600_000;

/** A browser that is signed in. */
export interface Session {
  /** `ses_…`: names the session without opening it. */
  readonly id: string;
  readonly account: string;
  readonly email: string;
  /** The browser's own name, shortened, by which its owner tells it apart. */
  readonly browser: string;
  /** ISO 8601 UTC. */
  readonly created_at: string;
  readonly last_used_at: string;
}

export interface LinkRequest {
  readonly email: string;
  /** Where it came from, for the limits on mails. */
  readonly address: string;
  /** Where to go once signed in: a path of the dashboard, checked by the caller. */
  readonly next: string;
  /** The secret that the browser has from an earlier request, so that the code of that one works, too. */
  readonly browser?: string | undefined;
}

/** The outcome of a typed code: a session, or null with the tries that are left. */
export type CodeResult =
  | { readonly signedIn: SignedIn }
  | { readonly signedIn: null; readonly triesLeft: number };

/** Where the links of mails lead, with the token as `token`. The dashboard serves a page there. */
export const signInPath = '/sign-in/confirm';

export interface SignedIn {
  readonly session: Session;
  /** Secret of the session's cookie; kept hashed, in this answer and nowhere else. */
  readonly secret: string;
  readonly next: string;
  /** True when the account was made by this sign-in. */
  readonly isNew: boolean;
}

/** The parts that signing in needs, whatever store keeps the sessions. */
export interface SignInOptions {
  readonly mailer: Mailer;
  readonly clock: Clock;
  /** Where the dashboard is, without a trailing slash. */
  readonly publicUrl: string;
  /** Domains that may sign in although they are listed as disposable. */
  readonly emailAllow: readonly string[];
}

/** The port to signing in by a link that is sent by mail. Times are the injected clock's. */
export interface SignIn {
  /**
   * Mails a link that works once, for a quarter of an hour, in any browser. The mail has a code for the browser that
   * holds `browser`, the secret that it returns for a cookie. Earlier links go on working. The answer is the same
   * whether the address has an account or not. Rejects `invalid_parameter` for what is no address, and
   * `disposable_email`. Rejects `rate_limited` past so many mails an hour for a network, from it to one address,
   * or to one address whose newest link works.
   * Rejects `internal_error` when the mail cannot be sent.
   */
  request(request: LinkRequest): Promise<{ readonly browser: string }>;
  /** The address that a link signs in; null for a link that is unknown, used or too old. It changes nothing. */
  findAddress(token: string): Promise<string | null>;
  /**
   * Opens a session with the link's token. The first sign-in makes the account, confirms its address and grants the
   * trial once. Null for a link that is unknown, used or too old.
   */
  confirm(token: string, userAgent: string): Promise<SignedIn | null>;
  /**
   * The same with the six digits of one of the newest mails of the browser that asked. Tries are counted: after a few
   * the mail's link alone works.
   */
  confirmCode(code: string, browser: string | undefined, userAgent: string): Promise<CodeResult>;
  /**
   * The session of a cookie's secret, which counts as its use. Null when there is none, or it lay idle for thirty days.
   */
  findSession(secret: string): Promise<Session | null>;
  /** Live sessions of an account, last used first. */
  listSessions(account: string): Promise<readonly Session[]>;
  /** When a session of the account was used last, in ISO 8601 UTC; null when none is known. */
  findLastUse(account: string): Promise<string | null>;
  /** Ends one; false when the account has no such session. */
  endSession(account: string, id: string): Promise<boolean>;
}

/** Where the operator's link leads, with the token as `token`. The dashboard serves a page there. */
export const adminSignInPath = '/admin/sign-in';

/** Milliseconds that an admin session lasts. */
export const adminSessionMs = 12 * 3_600_000;

/** The operator's way to the admin page: a link that works once, and a session of its own kind. */
export interface AdminSignIn {
  /** Makes the token of a one-time link, good for an hour; an earlier one that was not used ends. */
  createLink(): Promise<string>;
  /** True for a token that `confirm` would take; it changes nothing. */
  isGood(token: string): Promise<boolean>;
  /** Secret of an admin session of twelve hours; null for a token that is unknown, used or too old. */
  confirm(token: string): Promise<string | null>;
  /** True while the session of a secret lasts. */
  isOpen(secret: string): Promise<boolean>;
  /** Ends the session of a secret. */
  endSession(secret: string): Promise<void>;
}
