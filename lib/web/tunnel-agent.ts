import { type Agent, type buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { type Proxies, settingForHost, settingOfProxy } from './proxies.js';
import { ProxyPool, tunnelClosed } from './proxy-pool.js';

export interface TunnelAgentOptions extends EnvHttpProxyAgent.Options {
  readonly proxies: Proxies;
  /** The connections to a proxy, where they are to be other than a plain `ProxyPool`. */
  readonly poolOf?: (address: URL, options: Pool.Options, setting: string) => ProxyPool;
}

/** Names the proxy where the tunnel ends before TLS stands: none of the request was sent. */
function namingProxy(connect: buildConnector.connector, setting: string): buildConnector.connector {
  return (options, done) =>
    connect(options, (error, socket) => {
      if (error === null) done(null, socket as never);
      else done(tunnelClosed(setting, error) ?? error, null);
    });
}

/** Connections through tunnels of the proxies that are set, and past them to the hosts of `NO_PROXY`. */
export function tunnelAgent({ proxies, poolOf, ...options }: TunnelAgentOptions): Dispatcher {
  const makePool = poolOf ?? ((address, given, setting) => new ProxyPool(address, given, setting));
  const direct = options.connect;
  const factory = (origin: string | URL, given: Agent.Options & Pool.Options) => {
    // undici gives a function of its own where it makes a tunnel; other hosts are connected to as the options say.
    const { connect } = given;
    if (typeof connect !== 'function' || connect === direct) return new Pool(origin, given);
    const setting = settingForHost(proxies, new URL(origin));
    return new Pool(origin, { ...given, connect: namingProxy(connect, setting) });
  };
  return new EnvHttpProxyAgent({
    ...options,
    ...proxies,
    factory: factory as NonNullable<Agent.Options['factory']>,
    // A tunnel for plain http too: a proxy learns of hosts and ports, never of keys and addresses.
    proxyTunnel: true,
    clientFactory: (address, given) =>
      makePool(address, given as Pool.Options, settingOfProxy(proxies, address)),
  });
}
