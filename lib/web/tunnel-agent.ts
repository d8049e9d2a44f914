import { type Agent, type buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { type Proxies, settingForHost, settingOfProxy } from './proxies.js';
import { ProxyPool, tunnelClosed } from './proxy-pool.js';

export interface TunnelAgentOptions extends EnvHttpProxyAgent.Options {
  readonly proxies: Proxies;
  /** Creates the connections to a proxy; by default a plain `ProxyPool`. */
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
  const makePool = poolOf ?? ((address, options, setting) => new ProxyPool(address, options, setting));
  const direct = options.connect;
  const factory = (origin: string | URL, options: Agent.Options & Pool.Options) => {
    // undici passes its own function when it opens a tunnel. Other hosts use the options' connector.
    const { connect } = options;
    if (typeof connect !== 'function' || connect === direct) return new Pool(origin, options);
    const setting = settingForHost(proxies, new URL(origin));
    return new Pool(origin, { ...options, connect: namingProxy(connect, setting) });
  };
  return new EnvHttpProxyAgent({
    ...options,
    ...proxies,
    factory: factory as NonNullable<Agent.Options['factory']>,
    // Tunnels plain http, too, so that a proxy learns hosts and ports but never keys and addresses.
    proxyTunnel: true,
    clientFactory: (address, options) =>
      makePool(address, options as Pool.Options, settingOfProxy(proxies, address)),
  });
}
