import type { TestContext } from 'node:test';
import type { NetworkOptions } from '../../lib/web/network.js';
import type { PageRequest, Site } from '../../lib/web/page-source.js';
import { FakeClock } from '../support/fake-clock.js';
import { type Handler, loopback } from '../support/loopback.js';
import { network } from '../support/network.js';
import { testSite } from '../support/site.js';

interface Options extends Partial<NetworkOptions> {
  readonly clock?: FakeClock;
  readonly site?: Partial<Site>;
  readonly signal?: AbortSignal;
}

/** Starts a server with this handler, and opens a session that requests its pages. */
export async function served(
  t: TestContext,
  handler: Handler = (_request, response) => response.end('x'),
  { site = {}, signal, clock = new FakeClock(), ...options }: Options = {},
) {
  const server = await loopback(t, handler);
  const source = network(t, { clock, ...options });
  const session = source.open(testSite(site), signal);
  const fetch = (path = '/', more: Partial<PageRequest> = {}) =>
    session.fetch({ url: `${server.origin}${path}`, ...more });
  return { clock, server, source, session, fetch };
}
