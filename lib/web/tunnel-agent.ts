import { type Agent, type buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { type Proxies, settingForHost, settingOfProxy } from './proxies.js';
import { ProxyPool, tunnelClosed } from './proxy-pool.js';

export interface TunnelAgentOptions extends EnvHttpProxyAgent.Options {
  readonly proxies: Proxies;
  /** Creates the connections to a proxy, if they are not to be a plain `ProxyPool`. */
  readonly poolOf?: (address: URL, options: Pool.Options, setting: string) => ProxyPool;
}

/** Adds the proxy's setting to the error if the tunnel ends before TLS is established, when nothing was sent. */
function namingProxy(connect: buildConnector.connector, setting: string): buildConnector.connector {
  return (options, done) =>
    connect(options, (error, socket) => {
      if (error === null) done(null, socket as never);
      else done(tunnelClosed(setting, error) ?? error, null);
    });
}

/** Creates connections through the configured proxies, and direct ones to the hosts in `NO_PROXY`. */
export function tunnelAgent({ proxies, poolOf, ...options }: TunnelAgentOptions): Dispatcher {
  const makePool = poolOf ?? ((address, given, setting) => new ProxyPool(address, given, setting));
  const direct = options.connect;
  const factory = (origin: string | URL, given: Agent.Options & Pool.Options) => {
    // undici passes its own function when it opens a tunnel. Other hosts use the options' connector.
    const { connect } = given;
    if (typeof connect !== 'function' || connect === direct) return new Pool(origin, given);
    const setting = settingForHost(proxies, new URL(origin));
    return new Pool(origin, { ...given, connect: namingProxy(connect, setting) });
  };
  return new EnvHttpProxyAgent({
    ...options,
    ...proxies,
    factory: factory as NonNullable<Agent.Options['factory']>,
    // Tunnels plain http, too, so that a proxy learns hosts and ports but never keys and addresses.
    proxyTunnel: true,
    clientFactory: (address, given) =>
      makePool(address, given as Pool.Options, settingOfProxy(proxies, address)),
  });
}
