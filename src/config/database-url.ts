import { invalidParameter } from '../../lib/errors/extract-error.js';

/** A URL with a user but no host means a socket. The URL parser rejects it. */
const withHost = (text: string) => text.replace('@/', '@localhost/');

/**
 * Throws `invalid_parameter` for text that is not the URL of a PostgreSQL database. No error repeats the text, because
 * it holds a password.
 */
export function checkDatabaseUrl(text: string): void {
  const isAddress = /^postgres(ql)?:\/\//.test(text) && URL.canParse(withHost(text));
  const mode = isAddress ? new URL(withHost(text)).searchParams.get('sslmode') : null;
  if (
    isAddress &&
    (mode === null || /^(disable|prefer|require|verify-ca|verify-full|no-verify)$/.test(mode))
  ) {
    return;
  }
  throw invalidParameter(
    isAddress
      ? 'The sslmode of EXTRACT_DATABASE_URL must be disable, require, verify-ca or verify-full.'
      : 'The setting EXTRACT_DATABASE_URL must be like postgres://user:password@db.example.com:5432/extract.',
  );
}

/** Returns host, port, name and sslmode of a database, without user, password and anything else in the URL. */
export function shownDatabaseUrl(text: string): string {
  const { protocol, host, pathname, searchParams, username, password } = new URL(withHost(text));
  const parts = ['host', 'port', 'sslmode'].flatMap((name) => {
    const value = searchParams.get(name);
    return value === null ? [] : [`${name}=${value}`];
  });
  const login = username === '' && password === '' ? '' : '***@';
  return `${protocol}//${login}${text.includes('@/') ? '' : host}${pathname}${parts.length === 0 ? '' : `?${parts.join('&')}`}`;
}

/** Returns the password in a URL; undefined if there is none. */
export function databasePassword(text: string): string | undefined {
  if (!URL.canParse(withHost(text))) return undefined;
  const { password, searchParams } = new URL(withHost(text));
  return searchParams.get('password') ?? (password === '' ? undefined : decodeURIComponent(password));
}
