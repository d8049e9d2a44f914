import type { CookieSerializeOptions } from '@fastify/cookie';
import { sessionIdleMs } from '../../service/accounts/sign-in/sign-in.js';

/** Names of the dashboard's cookies and how each is set. */
export interface Cookies {
  /** Opens the session. */
  readonly session: string;
  /** Ties the code of a sign-in mail to the browser that asked for it. */
  readonly browser: string;
  /** The page that the browser that asked for a mail goes on to, for when it must ask again. */
  readonly next: string;
  /** The secret of the tokens of forms. */
  readonly form: string;
  /** Opens the operator's page. */
  readonly admin: string;
  readonly options: CookieSerializeOptions;
}

/** Seconds that a browser keeps the session's cookie after a visit: as long as the session itself lasts. */
export const sessionSeconds = sessionIdleMs / 1000;

/** Cookies for a server of this public address: where that is https, only https carries them, for this host alone. */
export function cookiesFor(publicAddress: string): Cookies {
  const secure = publicAddress.startsWith('https:');
  const prefix = secure ? '__Host-' : '';
  return {
    session: `${prefix}extract_session`,
    browser: `${prefix}extract_browser`,
    next: `${prefix}extract_next`,
    form: `${prefix}extract_form`,
    admin: `${prefix}extract_admin`,
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure },
  };
}
