import type { Endpoint } from '../endpoint.js';
import { ExtractError } from '../errors/extract-error.js';
import { addressesIn, isCutOff, parseWebAddress } from '../params/web-address.js';
import { pagesWithoutEndpoint, type UnreadPage } from '../platforms/pages-without-endpoint.js';
import { sites } from '../platforms.js';

export const urlParams = ({ params }: Endpoint): readonly string[] =>
  Object.keys(params).filter((name) => /(?:^|_)url$/.test(name));

/** Returns true if the endpoint accepts the text for that parameter. */
export function takes(endpoint: Endpoint, name: string, text: string): boolean {
  try {
    endpoint.identify({ [name]: text });
    return true;
  } catch {
    return false;
  }
}

/** Hosts of short links, which no endpoint follows. */
const shortLinkHosts: ReadonlySet<string> = new Set([
  'lnkd.in',
  'bit.ly',
  't.co',
  'tinyurl.com',
  'buff.ly',
  'ow.ly',
]);

/** `google` for www.google.pt. */
const nameOfHost = (host: string) => host.split('.').at(-2);

/** Returns true if the address is on a host of the site, in any country. */
export const isOnSite = ({ hosts }: { readonly hosts: readonly string[] }, { hostname }: URL): boolean =>
  hosts.some((host) => hostname.split('.').includes(nameOfHost(host) ?? ''));

/**
 * Returns why no endpoint can accept a text as an address: it contains several, or one that is cut off, or a short link. Null for other texts.
 */
export function refusedAddress(text: string): string | null {
  const { length } = addressesIn(text);
  if (length > 1) return `There are ${length} URLs in this value: pass each one separately.`;
  if (isCutOff(text)) return 'This URL is cut off: copy it from the address bar.';
  const url = parseWebAddress(text);
  return url !== null && shortLinkHosts.has(url.hostname)
    ? `${url.hostname} makes short links: open this one, and copy the URL that it leads to.`
    : null;
}

/** Describes a page that no endpoint accepts, with what to do instead. */
export const documentedPage = (endpoint: Endpoint, url: URL): UnreadPage | undefined =>
  isOnSite(endpoint.site, url)
    ? pagesWithoutEndpoint[endpoint.platform].find(([path]) => path.test(url.pathname))
    : undefined;

/** The call that reads the page at an address. */
export interface AddressedCall {
  readonly endpoint: Endpoint;
  /** One parameter: the address, or the words that its page searches for. */
  readonly param: string;
  readonly value: string;
}

/**
 * Returns the call for an address: an object if the page shows one (an account is its profile), otherwise a list.
 * Throws `invalid_url`, with what to use instead, for a page that no endpoint reads.
 */
export function callOfAddress(endpoints: readonly Endpoint[], address: string): AddressedCall {
  const fault = refusedAddress(address);
  if (fault !== null) throw new ExtractError('invalid_url', fault);
  for (const many of [false, true]) {
    for (const endpoint of endpoints) {
      const param = urlParams(endpoint).find((name) => takes(endpoint, name, address));
      if (endpoint.many === many && param !== undefined) return { endpoint, param, value: address };
    }
  }
  const url = parseWebAddress(address);
  const page = url && endpoints.map((one) => documentedPage(one, url)).find((one) => one !== undefined);
  const [, says = null, search] = page ?? [];
  const words = (url && search?.words(url)) ?? null;
  const endpoint = endpoints.find(({ path }) => path === search?.endpoint);
  if (endpoint !== undefined && words !== null) {
    const param = Object.keys(endpoint.params)[0] as string;
    return { endpoint, param, value: words };
  }
  const brands = sites.map(({ brand }) => brand);
  throw new ExtractError(
    'invalid_url',
    says ??
      `No endpoint reads this page. It must be one of ${brands.slice(0, -1).join(', ')} or ${brands.at(-1)}.`,
  );
}
