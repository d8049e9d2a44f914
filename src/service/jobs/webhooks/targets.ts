import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { AllowedHosts, isPublic, plainHost } from './addresses.js';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

const systemResolve: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/** Does not mention the address: the author of the URL must not learn what a name means inside this network. */
const refusal = 'The webhook URL resolves to an address that is not public.';

/** A connection refused before it was opened. */
export class NotPublic extends Error {
  override readonly name = 'NotPublic';

  constructor() {
    super(refusal);
  }
}

/**
 * Decides which hosts webhooks may reach: public ones, and those the operator lists. Checked when a job is created and
 * again when connecting, to exactly the checked addresses.
 */
export class Targets {
  readonly #allowed: AllowedHosts;
  readonly #resolve: Resolve;

  constructor(allowed: readonly string[], resolve: Resolve = systemResolve) {
    this.#allowed = new AllowedHosts(allowed);
    this.#resolve = resolve;
  }

  /** Checks a URL before anything is sent. Rejects `webhook_url_not_allowed`. */
  async check(url: string): Promise<void> {
    try {
      await this.addressOf(plainHost(new URL(url).hostname));
    } catch (cause) {
      if (cause instanceof NotPublic) throw new ExtractError('webhook_url_not_allowed', refusal);
      throw new ExtractError('webhook_url_not_allowed', 'The host of the webhook URL cannot be found.');
    }
  }

  /** Throws for a URL whose host is a forbidden address, because such a host is never resolved. */
  checkLiteral(url: string): void {
    const host = plainHost(new URL(url).hostname);
    if (isIP(host) !== 0 && !this.#takes(host)) throw new NotPublic();
  }

  /**
   * Returns the address to give a proxy instead of a host: an allowed one, IPv4 if possible. A name that the operator
   * lists is returned unresolved, because only the proxy may be able to resolve it. Rejects `NotPublic`, and with the
   * resolver's error.
   */
  async addressOf(host: string): Promise<string> {
    if (isIP(host) !== 0) {
      if (!this.#takes(host)) throw new NotPublic();
      return host;
    }
    if (this.#allowed.hasName(host)) return host;
    const addresses = await this.#addresses(host);
    return (addresses.find(({ family }) => family === 4) ?? addresses[0])?.address ?? host;
  }

  /** Resolves a name to all its addresses, or an error if any of them is forbidden. */
  readonly lookup: LookupFunction = (host, options, done) => {
    this.#addresses(plainHost(host)).then(
      (addresses) => {
        const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : options.family;
        const ofFamily = addresses.filter((one) => !family || family === one.family);
        const usable = ofFamily.length > 0 ? ofFamily : addresses;
        if (options.all === true) done(null, [...usable]);
        else done(null, usable[0]?.address ?? '', usable[0]?.family);
      },
      (cause: Error) => done(cause, '', 0),
    );
  };

  async #addresses(host: string): Promise<readonly ResolvedAddress[]> {
    const addresses = await this.#resolve(host);
    if (addresses.length === 0) throw new Error('no address');
    const isAllowed = this.#allowed.hasName(host) || addresses.every(({ address }) => this.#takes(address));
    if (!isAllowed) throw new NotPublic();
    return addresses;
  }

  #takes(address: string): boolean {
    return isPublic(address) || this.#allowed.hasAddress(address);
  }
}
