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
  readonly created_at: string;
  readonly last_used_at: string;
}

export interface LinkRequest {
  readonly email: string;
  /** Network address of the request, for the mail limits. */
  readonly address: string;
  /** Where to go after signing in: a dashboard path checked by the caller. */
  readonly next: string;
  /** The secret from the browser's earlier request, so that the code of that mail works, too. */
  readonly browser?: string | undefined;
}

/** The result of a typed code: a session, or null with the tries left. */
export type CodeResult =
  | { readonly signedIn: SignedIn }
  | { readonly signedIn: null; readonly triesLeft: number };

/** The target of mailed links, with the token as `token`. */
export const signInPath = '/sign-in/confirm';

export interface SignedIn {
  readonly session: Session;
  /** The secret of the session's cookie. Only its digest is stored. */
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

/** The target of the operator's link, with the token as `token`. */
export const adminSignInPath = '/admin/sign-in';

/** Milliseconds that an admin session lasts. */
export const adminSessionMs = 12 * 3_600_000;
