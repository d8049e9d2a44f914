import { type Endpoint, registeredEndpoints } from '../endpoint.js';
import { ExtractError } from '../errors/extract-error.js';
import { addressesIn, parseWebAddress } from '../params/web-address.js';
import { pagesWithoutEndpoint } from '../platforms/pages-without-endpoint.js';

type Params = Readonly<Record<string, unknown>>;

const urlParams = ({ params }: Endpoint) => Object.keys(params).filter((name) => /(?:^|_)url$/.test(name));

/** True where the endpoint would take the text under that parameter. */
function takes(endpoint: Endpoint, name: string, text: string): boolean {
  try {
    endpoint.identify({ [name]: text });
    return true;
  } catch {
    return false;
  }
}

/** Hosts whose links tell nothing of where they lead, and which no endpoint follows. */
const shortLinkHosts: ReadonlySet<string> = new Set([
  'lnkd.in',
  'bit.ly',
  't.co',
  'tinyurl.com',
  'buff.ly',
  'ow.ly',
]);

/** The word that a host goes by: `google` of www.google.pt. */
const nameOfHost = (host: string) => host.split('.').at(-2);

/** Why an endpoint cannot take a URL, and what takes it: one sentence, or null where nothing more is known. */
function reason(endpoint: Endpoint, text: string): string | null {
  const [first, second] = endpoint.exactlyOne ?? [];
  const isName = !text.includes('/') && first !== undefined && takes(endpoint, first, text);
  if (isName && second === 'url') return `${JSON.stringify(text)} is no URL: it goes into ${first}.`;
  const { length } = addressesIn(text);
  if (length > 1) return `There are ${length} URLs in this value: give each one by itself.`;
  const url = parseWebAddress(text);
  if (url === null) return null;
  if (shortLinkHosts.has(url.hostname))
    return `${url.hostname} makes short links: open this one, and copy the URL that it leads to.`;
  const { platform, site } = endpoint;
  const isHere = site.hosts.some((host) => url.hostname.split('.').includes(nameOfHost(host) ?? ''));
  const page = isHere ? pagesWithoutEndpoint[platform].find(([path]) => path.test(url.pathname)) : undefined;
  if (page !== undefined) return page[1];
  const other = registeredEndpoints.find((one) => urlParams(one).some((name) => takes(one, name, text)));
  if (other !== undefined) return `This URL is one for ${other.path} (${other.title}).`;
  if (isHere) return null;
  return `${url.hostname} is not ${site.brand}: where this is a short link, open it, and give the URL it leads to.`;
}

/**
 * The subject that parameters name, as the endpoint identifies it. An error about a URL says first why it cannot be taken,
 * and what takes it instead.
 */
export function identify(endpoint: Endpoint, params: Params): ReturnType<Endpoint['identify']> {
  try {
    return endpoint.identify(params);
  } catch (error) {
    if (!(error instanceof ExtractError) || error.code !== 'invalid_url') throw error;
    const text = urlParams(endpoint)
      .map((name) => params[name])
      .find((value) => typeof value === 'string');
    const why = typeof text === 'string' ? reason(endpoint, text) : null;
    throw why === null ? error : error.withMessage(`${why} ${error.message}`);
  }
}
