/** Where the operator's link leads, with the token as `token`. The dashboard serves a page there. */
export const adminSignInPath = '/admin/sign-in';

/** Milliseconds that an admin session lasts. */
export const adminSessionMs = 12 * 3_600_000;

/** The operator's way to the admin page: a link that works once, and a session of its own kind. */
export interface AdminSignIn {
  /** Makes the token of a one-time link, good for an hour; an earlier one that was not used ends. */
  link(): Promise<string>;
  /** Secret of an admin session of twelve hours; null for a token that is unknown, used or too old. */
  confirm(token: string): Promise<string | null>;
  /** True while the session of a secret lasts. */
  isOpen(secret: string): Promise<boolean>;
}
