import { ExtractError } from '../../errors/extract-error.js';

/** The browser or its page crashed; the visit may be retried once. */
export class BrowserClosed extends Error {
  override readonly name = 'BrowserClosed';
}

/**
 * The browser's messages for a connection it dropped because a network address was added or removed, or because the
 * computer went to sleep (Chromium 156, 2026-11).
 */
const passing = /NETWORK_CHANGED|NETWORK_IO_SUSPENDED/;

export const isPassing = (words: string): boolean => passing.test(words);

/** The browser's messages for a document that failed to load, and what they mean. */
const failures: readonly (readonly [RegExp, 'platform_unavailable' | 'platform_timeout', what: string])[] = [
  [/TIMED_OUT|Timeout \d+ms/, 'platform_timeout', 'no answer came in time'],
  [/NAME_NOT_RESOLVED|NAME_RESOLUTION/, 'platform_unavailable', 'its name could not be found'],
  [/PROXY|TUNNEL/, 'platform_unavailable', 'the proxy did not connect to it; check HTTPS_PROXY'],
  [
    /CERT_|SSL_/,
    'platform_unavailable',
    'its certificate is not trusted; NODE_EXTRA_CA_CERTS can name further authorities, which the server has to send along',
  ],
  [/CONNECTION_|SOCKET_|EMPTY_RESPONSE|ADDRESS_/, 'platform_unavailable', 'the connection was broken off'],
  [passing, 'platform_unavailable', 'the network of this computer changed meanwhile'],
  [/INTERNET_DISCONNECTED|NETWORK_/, 'platform_unavailable', 'there is no network to it'],
  [/Download is starting/, 'platform_unavailable', 'it sent a download instead of a page'],
];

/** Returns the error for a document that failed to load. */
export function documentError(cause: unknown, url: string): ExtractError {
  const { hostname } = new URL(url);
  const words = cause instanceof Error ? cause.message : String(cause);
  const [, code, what] = failures.find(([pattern]) => pattern.test(words)) ?? [
    null,
    'platform_unavailable' as const,
    'its answer is cut off or corrupt',
  ];
  return new ExtractError(code, `${hostname} could not be read by the browser: ${what}.`, { cause });
}

/** True for an error caused by a network change on this computer; the visit may be retried once. */
export const hasPassed = (error: unknown): boolean =>
  error instanceof ExtractError && error.cause instanceof Error && isPassing(error.cause.message);

/** Messages of a system or a browser that fails to start, and what they mean. */
const startFailures: readonly (readonly [RegExp, what: (detail: string) => string])[] = [
  [
    /error while loading shared libraries: ([^:\s]+)/,
    (library) => `the library ${library} is missing; install the browser with all that its package needs`,
  ],
  [/\b(EACCES|EPERM)\b|Permission denied/, () => 'this user may not run it'],
  [/\b(ENOENT|ENOEXEC|Exec format error)\b/, () => 'it, or what runs it, is not a program of this system'],
  [/sandbox/i, () => 'its sandbox cannot start here'],
  [
    /\$?DISPLAY\b|XServer|X server/,
    () => 'there is no screen to show its windows on; set EXTRACT_BROWSER_HEADED=false',
  ],
  [/Timeout (\d+)ms/, (ms) => `it was not ready after ${Number(ms) / 1000} s`],
  [/exitCode=(\d+)/, (status) => `it ended immediately with status ${status}`],
  [/signal=(SIG\w+)/, (signal) => `it was ended immediately by ${signal}`],
];

export function startError(cause: unknown, path: string): ExtractError {
  const text = cause instanceof Error ? cause.message : String(cause);
  // The line with the arguments mentions many things that are not the cause.
  const words = text.replace(/^.*<launching>.*$/gm, '');
  for (const [pattern, what] of startFailures) {
    const match = pattern.exec(words);
    if (match === null) continue;
    const message = `The browser ${path} did not start: ${what(match[1] ?? '')}. extract doctor tries it.`;
    return new ExtractError('platform_unavailable', message, { cause, next: '' });
  }
  const [line = ''] = words.split('\n');
  return new ExtractError('platform_unavailable', `The browser ${path} did not start: ${line}`, { cause });
}
