import type { Session } from './sign-in.js';

/** A session as stores keep it. Times are milliseconds since 1970. */
export interface SessionRow {
  readonly id: string;
  readonly account: string;
  readonly browser: string;
  readonly created_at: number;
  readonly last_used_at: number;
}

/** Milliseconds within which a further use is not written down. */
export const touchMs = 60_000;
const maxBrowserLength = 200;

/** The browser's own name, on one line and shortened. */
export function shownBrowser(userAgent: string): string {
  return userAgent.replace(/\p{C}/gu, ' ').trim().slice(0, maxBrowserLength);
}

/** The session of a row, of the account with that address. */
export function toSession(
  { id, account, browser, created_at, last_used_at }: SessionRow,
  email: string,
): Session {
  const [created, used] = [created_at, last_used_at].map((time) => new Date(time).toISOString());
  return { id, account, email, browser, created_at: created as string, last_used_at: used as string };
}
