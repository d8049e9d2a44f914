import { ExtractError } from '../../errors/extract-error.js';

/** The browser or its page broke down: whoever was visiting may try once more. */
export class BrowserGone extends Error {
  override readonly name = 'BrowserGone';
}

/** What a browser says of a document that did not come: the part of its words that is looked for, and what it means. */
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
  [/INTERNET_DISCONNECTED|NETWORK_/, 'platform_unavailable', 'there is no network to it'],
  [/Download is starting/, 'platform_unavailable', 'it sent a file to be saved in place of a page'],
];

/** The named error for a document that did not come. */
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
