import { type Endpoint, registeredEndpoints } from '../endpoint.js';
import { ExtractError, invalidParameter } from '../errors/extract-error.js';
import { parseWebAddress } from '../params/web-address.js';
import { callOfAddress, documentedPage, isOnSite, refusedAddress, takes, urlParams } from './address.js';

type Params = Readonly<Record<string, unknown>>;

/** Explains why an endpoint does not accept a URL, and which one does; null if unknown. */
function reason(endpoint: Endpoint, text: string): string | null {
  const [first, second] = endpoint.exactlyOne ?? [];
  const isName = !text.includes('/') && first !== undefined && takes(endpoint, first, text);
  if (isName && second === 'url') return `${JSON.stringify(text)} is no URL: it goes into ${first}.`;
  const fault = refusedAddress(text);
  const url = parseWebAddress(text);
  if (fault !== null || url === null) return fault;
  const page = documentedPage(endpoint, url);
  if (page !== undefined) return page[1];
  const other = registeredEndpoints.find((one) => urlParams(one).some((name) => takes(one, name, text)));
  if (other !== undefined) return `This URL is for ${other.path} (${other.title}).`;
  if (isOnSite(endpoint.site, url)) return null;
  return `${url.hostname} is not ${endpoint.site.brand}: where this is a short link, open it, and give the URL it leads to.`;
}

/**
 * Replaces the URL of a search page, pasted instead of words, by the words it searches for. A URL of another site is
 * words, too. Throws `invalid_parameter` for another page of the platform, and `invalid_url` for one that no endpoint
 * reads.
 */
function withWords(endpoint: Endpoint, params: Params): Params {
  if (urlParams(endpoint).length > 0) return params;
  const name = Object.keys(endpoint.params)[0] as string;
  const text = params[name];
  if (typeof text !== 'string' || !text.includes('/') || /\s/.test(text)) return params;
  const url = parseWebAddress(text);
  if (url === null || !isOnSite(endpoint.site, url)) return params;
  const { endpoint: reader, value } = callOfAddress(registeredEndpoints, text);
  if (reader.path === endpoint.path) return { ...params, [name]: value };
  throw invalidParameter(
    `This URL is for ${reader.path} (${reader.title}). The parameter ${name} takes words.`,
  );
}

/**
 * Returns the subject that parameters identify. An error about a URL starts with why it is not accepted, and what
 * accepts it instead.
 */
export function identify(endpoint: Endpoint, params: Params): ReturnType<Endpoint['identify']> {
  try {
    return endpoint.identify(withWords(endpoint, params));
  } catch (error) {
    if (!(error instanceof ExtractError) || error.code !== 'invalid_url') throw error;
    const text = urlParams(endpoint)
      .map((name) => params[name])
      .find((value) => typeof value === 'string');
    const why = typeof text === 'string' ? reason(endpoint, text) : null;
    throw why === null ? error : error.withMessage(`${why} ${error.message}`);
  }
}
