import { BlockList, isIP } from 'node:net';
import { ExtractError } from '../../../../lib/errors/extract-error.js';

/**
 * IPv4 ranges without ordinary public hosts: the IANA special-purpose registry (RFC 6890 and later), multicast and
 * reserved ranges.
 */
const specialRanges4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
] as const;

/** The only IPv6 range assigned to public hosts; mapped, translated and local forms are outside of it. */
const publicRange6 = '2000::/3';

/** The ranges within it without ordinary public hosts. */
const specialRanges6 = [
  '2001::/23', // protocol assignments, with Teredo, benchmarks and ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
] as const;

function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) addRange(list, range);
  return list;
}

function addRange(list: BlockList, range: string): void {
  const [network = '', bits] = range.split('/');
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  list.addSubnet(network, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
}

const special4 = rangesOf(specialRanges4);
const special6 = rangesOf(specialRanges6);
const public6 = rangesOf([publicRange6]);

export function isPublic(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special4.check(address, 'ipv4');
    case 6:
      // An address with a zone (`%eth0`) belongs to one link.
      return !address.includes('%') && public6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
    default:
      return false;
  }
}

/** Returns a host name in lower case, without a final dot. */
export function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

const rangeForm = /^[\da-f.:]+(\/\d{1,3})?$/i;

/** Names, addresses and ranges that the operator allows besides public hosts. */
export class AllowedHosts {
  readonly #names = new Set<string>();
  // Separate lists: a common one would treat a mapped address as the IPv4 address in it.
  readonly #ranges4 = new BlockList();
  readonly #ranges6 = new BlockList();

  /** Throws `invalid_parameter` for anything else. */
  constructor(allowed: readonly string[]) {
    for (const one of allowed) {
      const text = plainHost(one);
      const network = text.split('/', 1)[0] ?? '';
      const family = isIP(network);
      if (family === 0 && /^[a-z\d]([a-z\d.-]*[a-z\d])?$/.test(text)) this.#names.add(text);
      else {
        try {
          if (!rangeForm.test(text)) throw new Error(text);
          addRange(family === 6 ? this.#ranges6 : this.#ranges4, text);
        } catch (cause) {
          throw new ExtractError(
            'invalid_parameter',
            `The setting EXTRACT_WEBHOOK_ALLOW must list host names, addresses and ranges such as 10.1.0.0/16; ${JSON.stringify(one.slice(0, 80))} is neither.`,
            { cause },
          );
        }
      }
    }
  }

  hasName(host: string): boolean {
    return this.#names.has(plainHost(host));
  }

  hasAddress(address: string): boolean {
    const family = isIP(address);
    if (family === 4) return this.#ranges4.check(address, 'ipv4');
    return family === 6 && !address.includes('%') && this.#ranges6.check(address, 'ipv6');
  }
}
