import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { ExtractError } from '../../../lib/errors.js';
import { AllowedHosts, isPublic, plainHost } from './addresses.js';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Every address of a name. */
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

const systemResolve: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/** Says nothing of the address: who gives the URL must not learn what a name means inside this network. */
const refusal = 'The webhook URL leads to an address that is not public.';

/** A connection that was refused before it was made. */
export class NotPublic extends Error {
  override readonly name = 'NotPublic';

  constructor() {
    super(refusal);
  }
}

/**
 * Which hosts webhooks may be sent to: public ones, and those the operator lists. The question is asked when a job is
 * made and again when a connection is: the addresses that are dialled are the ones that were looked at.
 */
export class Targets {
  readonly #allowed: AllowedHosts;
  readonly #resolve: Resolve;

  constructor(allowed: readonly string[], resolve: Resolve = systemResolve) {
    this.#allowed = new AllowedHosts(allowed);
    this.#resolve = resolve;
  }

  /**
   * Checks a URL before anything is sent there. Rejects `webhook_url_not_allowed`. `proxied`: a name that cannot be
   * resolved here may be known to the proxy.
   */
  async check(url: string, proxied: boolean): Promise<void> {
    const host = plainHost(new URL(url).hostname);
    if (isIP(host) !== 0) {
      if (!this.#takes(host)) throw new ExtractError('webhook_url_not_allowed', refusal);
      return;
    }
    try {
      await this.#addresses(host);
    } catch (cause) {
      if (cause instanceof NotPublic) throw new ExtractError('webhook_url_not_allowed', refusal);
      if (proxied) return;
      throw new ExtractError('webhook_url_not_allowed', 'The host of the webhook URL cannot be found.');
    }
  }

  /** Throws for a URL whose host is an address that may not be dialled: such a host is never looked up. */
  checkLiteral(url: string): void {
    const host = plainHost(new URL(url).hostname);
    if (isIP(host) !== 0 && !this.#takes(host)) throw new NotPublic();
  }

  /** Looks a name up for a connection: every address it has, or an error when one of them may not be dialled. */
  readonly lookup: LookupFunction = (host, options, done) => {
    this.#addresses(plainHost(host)).then(
      (addresses) => {
        const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : options.family;
        const wanted = addresses.filter((one) => !family || family === one.family);
        const given = wanted.length > 0 ? wanted : addresses;
        if (options.all === true) done(null, [...given]);
        else done(null, given[0]?.address ?? '', given[0]?.family);
      },
      (cause: Error) => done(cause, '', 0),
    );
  };

  async #addresses(host: string): Promise<readonly ResolvedAddress[]> {
    const addresses = await this.#resolve(host);
    if (addresses.length === 0) throw new Error('no address');
    const taken = this.#allowed.hasName(host) || addresses.every(({ address }) => this.#takes(address));
    if (!taken) throw new NotPublic();
    return addresses;
  }

  #takes(address: string): boolean {
    return isPublic(address) || this.#allowed.hasAddress(address);
  }
}
