import type { CookieSerializeOptions } from '@fastify/cookie';
import { sessionIdleMs } from '../../service/accounts/sign-in/sign-in.js';

export interface Cookies {
  readonly session: string;
  /** Binds the code in a sign-in email to the browser that requested it. */
  readonly browser: string;
  /** The page to continue to after sign-in, in case the browser has to request another email. */
  readonly next: string;
  /** The secret behind form tokens. */
  readonly form: string;
  /** Grants access to the operator's pages. */
  readonly admin: string;
  readonly options: CookieSerializeOptions;
}

/** As long as the session lasts. */
export const sessionSeconds = sessionIdleMs / 1000;

/**
 * Returns the cookies for a server with this public address. If it is https, cookies are sent over https only, and to
 * this host only.
 */
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
