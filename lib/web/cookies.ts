import type { CookieJar } from 'tough-cookie';

/**
 * The cookies of one session. Most sessions receive none, so the jar and its library are loaded with the first
 * `Set-Cookie`. Cookies follow the standard: sent to the host that set them and to hosts below a domain that it was
 * allowed to name.
 */
export class Cookies {
  #jar: CookieJar | undefined;

  /** Stores the cookies of a response from `url`, except forbidden and unreadable ones. */
  async store(url: string, setCookie: readonly string[]): Promise<void> {
    if (setCookie.length === 0) return;
    const { CookieJar } = await import('tough-cookie');
    this.#jar ??= new CookieJar();
    for (const line of setCookie) this.#jar.setCookieSync(line, url, { ignoreError: true });
  }

  /** Undefined without cookies. */
  header(url: string): string | undefined {
    return this.#jar?.getCookieStringSync(url) || undefined;
  }

  /** Null without it. */
  value(url: string, name: string): string | null {
    return this.#jar?.getCookiesSync(url).find((cookie) => cookie.key === name)?.value ?? null;
  }
}
