import { ExtractError } from '../errors/extract-error.js';

/**
 * The address that an API's paths are relative to, without a trailing slash and with the version. What is given may
 * leave the version out. Throws `invalid_parameter`, in which `settings` names what was set, for text that is no such
 * address.
 */
export function baseUrlOf(
  text: string,
  settings = { url: 'EXTRACT_BASE_URL', key: 'EXTRACT_API_KEY' },
): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new ExtractError(
      'invalid_parameter',
      `${settings.url} must be the http or https URL of a server, such as https://extract.example.com/v1.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new ExtractError(
      'invalid_parameter',
      `${settings.url} must not hold a name or password; the key belongs into ${settings.key}.`,
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path.endsWith('/v1') ? path : `${path}/v1`);
}
