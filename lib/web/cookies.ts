import type { CookieJar } from 'tough-cookie';

/**
 * The cookies of one session. Most sessions never receive any, so the jar and its library are loaded with the first
 * `Set-Cookie`. Cookies are sent by the standard's rules: to the host that set them and to hosts below a domain it was
 * allowed to name.
 */
export class Cookies {
  #jar: CookieJar | undefined;

  /**
   * Stores the cookies of a response from `url`; those that are forbidden by the standard or unreadable are ignored.
   */
  async store(url: string, setCookie: readonly string[]): Promise<void> {
    if (setCookie.length === 0) return;
    const { CookieJar } = await import('tough-cookie');
    this.#jar ??= new CookieJar();
    for (const line of setCookie) this.#jar.setCookieSync(line, url, { ignoreError: true });
  }

  /** The `Cookie` header for a request to `url`, or undefined. */
  header(url: string): string | undefined {
    return this.#jar?.getCookieStringSync(url) || undefined;
  }

  /** Value of a cookie that would be sent to `url`, or null. */
  value(url: string, name: string): string | null {
    return this.#jar?.getCookiesSync(url).find((cookie) => cookie.key === name)?.value ?? null;
  }
}
