import type { Session } from './sign-in.js';

/** A session as stored. Times are milliseconds since 1970. */
export interface SessionRow {
  readonly id: string;
  readonly account: string;
  readonly browser: string;
  readonly created_at: number;
  readonly last_used_at: number;
}

/** Minimum milliseconds between recorded uses. */
export const touchMs = 60_000;
const maxBrowserLength = 200;

/** Returns the user agent on one line, shortened. */
export function shownBrowser(userAgent: string): string {
  return userAgent.replace(/\p{C}/gu, ' ').trim().slice(0, maxBrowserLength);
}

export function toSession(
  { id, account, browser, created_at, last_used_at }: SessionRow,
  email: string,
): Session {
  const [created, used] = [created_at, last_used_at].map((time) => new Date(time).toISOString());
  return { id, account, email, browser, created_at: created as string, last_used_at: used as string };
}
