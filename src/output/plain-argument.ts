import type { Endpoint } from '../../lib/endpoint.js';
import { parseParams } from '../../lib/params/parse.js';

/** Returns true for text like an address: a scheme, or a host with a path. No handle, ID or shortcode has that form. */
function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) || /^[\w-]+(\.[\w-]+)+\//.test(text);
}

export const takesUrl = (name: string) => name === 'url' || name.endsWith('_url');

/** Returns the parameters that the plain argument of an endpoint's command may set. */
export function identifyingParams({ exactlyOne, params }: Endpoint): readonly string[] {
  if (exactlyOne !== null) return exactlyOne;
  const required = Object.entries(params).find(([, schema]) => !schema.safeParse(undefined).success);
  return required === undefined ? [] : [required[0]];
}

/** Returns true if an endpoint accepts a text as this parameter. */
export function fits(endpoint: Endpoint, name: string, text: string): boolean {
  try {
    endpoint.identify(parseParams(endpoint, { [name]: text }, true));
    return true;
  } catch {
    return false;
  }
}

/** Returns the parameter under which an endpoint accepts a plain argument. */
export const readBy = (endpoint: Endpoint, text: string) =>
  identifyingParams(endpoint).find((param) => fits(endpoint, param, text));

/** Returns the endpoints whose object a plain argument may name. */
export const objectsOf = (endpoints: readonly Endpoint[], text: string): readonly Endpoint[] =>
  endpoints.filter((endpoint) => !endpoint.many && readBy(endpoint, text) !== undefined);

/**
 * Returns the parameter for a plain argument. If the endpoint takes one of two, the form of the text decides, and an
 * address belongs to the parameter for its kind of address.
 */
export function paramOfArgument(endpoint: Endpoint, text: string): string | undefined {
  const names = identifyingParams(endpoint);
  if (names.length < 2) return names[0];
  const candidates = names.filter((name) => takesUrl(name) === isUrl(text));
  return candidates.find((name) => fits(endpoint, name, text)) ?? candidates[0] ?? names[0];
}
