import { isIP } from 'node:net';
import { ExtractError } from '../../lib/errors/extract-error.js';

/** Names of networks that fastify knows. */
const networks = ['loopback', 'linklocal', 'uniquelocal'];

/** True for an address, a range such as 10.1.0.0/16 and the name of a private network. */
function isTrustable(text: string): boolean {
  const [, network = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(network);
  if (family === 0) return networks.includes(text);
  return bits === undefined || (Number(bits) >= 1 && Number(bits) <= (family === 6 ? 128 : 32));
}

/** Throws `invalid_parameter` for proxies to be trusted among which is something else. */
export function checkTrustedProxies(proxies: readonly string[]): void {
  const wrong = proxies.find((one) => !isTrustable(one));
  if (wrong === undefined) return;
  throw new ExtractError(
    'invalid_parameter',
    `Trusted proxies must be addresses and ranges such as 10.1.0.0/16; ${JSON.stringify(wrong.slice(0, 80))} is none.`,
  );
}
