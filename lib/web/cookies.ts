import type { CookieJar } from 'tough-cookie';

/**
 * The cookies of one session. Most sessions are never given one, so the jar (and the library behind it) comes with
 * the first `Set-Cookie`. The standard's rule says which host gets which cookie. The host that set it, and those
 * below a domain that it named and may name.
 */
export class Cookies {
  #jar: CookieJar | undefined;

  /** Keeps what an answer from `url` sets; what the standard forbids, or cannot be read, is left out. */
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

  /** Value of a cookie that `url` would be sent, or null. */
  value(url: string, name: string): string | null {
    return this.#jar?.getCookiesSync(url).find((cookie) => cookie.key === name)?.value ?? null;
  }
}
