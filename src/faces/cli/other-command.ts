import { callOfAddress } from '../../../lib/call/address.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError, nextOf } from '../../../lib/errors/extract-error.js';
import { addressesIn } from '../../../lib/params/web-address.js';
import { sites } from '../../../lib/platforms.js';
import { identifyingParams, readBy } from '../../output/plain-argument.js';
import { shellQuoted } from '../../output/shell-words.js';
import { UsageError } from './usage-error.js';

/** Returns the other endpoints that read a plain argument, and the argument as each of them takes it. */
function readersOf(endpoint: Endpoint, argument: string, endpoints: readonly Endpoint[]) {
  if (addressesIn(argument).length > 0) {
    const { endpoint: reader, value } = callOfAddress(endpoints, argument);
    return reader === endpoint ? [] : [{ reader, value }];
  }
  // A name of several words, such as a person's, is not a company's because it may be one.
  if (/\s/.test(argument)) return [];
  return endpoints
    .filter((one) => one.platform === endpoint.platform && one !== endpoint)
    .filter((one) => identifyingParams(one).length > 1 && readBy(one, argument) !== undefined)
    .map((reader) => ({ reader, value: argument }));
}

const commandOf = ({ reader: { platform, name }, value }: { reader: Endpoint; value: string }) =>
  `extract ${sites.find((site) => site.platform === platform)?.alias ?? platform} ${name} ${shellQuoted(value)}`;

/** Returns the error about a plain argument; if other endpoints read the argument, with their commands. */
export function withOtherCommand(
  error: unknown,
  endpoint: Endpoint,
  argument: string,
  endpoints: readonly Endpoint[],
): unknown {
  if (!(error instanceof ExtractError) || error instanceof UsageError) return error;
  if (error.code !== 'invalid_parameter' && error.code !== 'invalid_url') return error;
  try {
    const commands = readersOf(endpoint, argument, endpoints).map(commandOf);
    if (commands.length === 0) return error;
    const problem = error.message.replace(nextOf(error), '').trimEnd();
    return new UsageError(error.code, problem, ['Did you mean:', ...commands].join('\n  '));
  } catch {
    // No endpoint reads this page, as the error says.
    return error;
  }
}
