import { invalidParameter } from '../errors/extract-error.js';

const thisMachine = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Returns true if a key would be sent unencrypted to another machine. */
export function isInTheOpen(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && !thisMachine.test(hostname);
}

/**
 * Returns the base address of an API's paths, with the version and without a trailing slash. The text may omit the
 * version. Throws `invalid_parameter`, naming `settings`, for text that is no such address.
 */
export function baseUrlOf(
  text: string,
  settings = { url: 'EXTRACT_BASE_URL', key: 'EXTRACT_API_KEY' },
): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw invalidParameter(
      `${settings.url} must be the http or https URL of a server, such as https://extract.example.com/v1.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidParameter(
      `${settings.url} must not contain a name or password; set the key in ${settings.key}.`,
    );
  }
  const path = url.pathname.replace(/(?<!\/)\/+$/, '');
  return url.origin + (path.endsWith('/v1') ? path : `${path}/v1`);
}
