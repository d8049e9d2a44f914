import { callOfAddress } from '../../../lib/call/address.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { addressesIn } from '../../../lib/params/web-address.js';
import { platformOf } from '../../../lib/platforms.js';
import { nearestWords } from '../../../lib/runtime/nearest-words.js';
import { identifyingParams, objectsOf, readBy } from '../../output/plain-argument.js';
import { platformCommands } from './commands.js';

type Line = readonly string[];

const isOption = (word: string | undefined) => word === undefined || word.startsWith('-');

function lineOf(endpoints: readonly Endpoint[], address: string, rest: Line): Line {
  const { endpoint, value } = callOfAddress(endpoints, address);
  return [endpoint.platform, endpoint.name, value, ...rest];
}

const takesQuery = (endpoint: Endpoint) => identifyingParams(endpoint).includes('query');

const namesQuery = (word: string) => /^--query(?:=|$)/.test(word);

/**
 * Handles `tiktok nasa` and `google-maps "Eiffel Tower"`: a platform followed by a username or search words instead of
 * an endpoint. A mistyped endpoint is neither.
 */
function namedLine(args: Line, endpoints: readonly Endpoint[]): Line | undefined {
  const [platform = '', name = '', next] = args;
  if (platformOf(platform) === undefined || isOption(name) || name === '' || !isOption(next))
    return undefined;
  if (args.some(namesQuery)) return undefined;
  const ofPlatform = endpoints.filter((endpoint) => endpoint.platform === platform);
  const account = ofPlatform.find((endpoint) => !endpoint.many && readBy(endpoint, name) === 'username');
  // A username may look like a host: amber.quay.
  if (account === undefined && addressesIn(name).length > 0) return lineOf(ofPlatform, name, args.slice(2));
  const words = [...ofPlatform.map((endpoint) => endpoint.name), ...platformCommands.map((one) => one.name)];
  if (nearestWords(name, words).length > 0) return undefined;
  // If the words may mean several things, the error explains.
  const meant =
    account ?? (objectsOf(ofPlatform, name).length === 0 ? ofPlatform.find(takesQuery) : undefined);
  return meant === undefined ? undefined : [platform, meant.name, ...args.slice(1)];
}

/**
 * Splits arguments with addresses into one command line each: `https://www.tiktok.com/@nasa --json` becomes `shortvideo
 * profile` with the address, and `tiktok nasa` a profile. Other arguments are one line, unchanged. Throws `invalid_url`
 * for an address that no endpoint reads.
 */
export function addressedLines(args: Line, endpoints: readonly Endpoint[]): readonly Line[] {
  const end = args.findIndex((word) => addressesIn(word).length === 0);
  const addresses = end < 0 ? args : args.slice(0, end);
  if (addresses.length === 0) return [namedLine(args, endpoints) ?? args];
  return addresses.map((address) => lineOf(endpoints, address, args.slice(addresses.length)));
}
