import { isIPv6 } from 'node:net';
import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import type { ProxySettings } from '../../../lib/web/connections.js';
import { plainHost } from './addresses.js';
import type { Targets } from './targets.js';

/** `host:port` split, with the brackets of an IPv6 address left where they are. */
function authority(text: string): readonly [host: string, port: string] {
  const at = text.lastIndexOf(':');
  return [text.slice(0, at), text.slice(at + 1)];
}

/**
 * Makes every tunnel through a proxy lead to the address that was checked: the proxy would look a name up again and may
 * find another address. The certificate still proves who the receiver is.
 */
function toCheckedAddress(targets: Targets): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const [host, port] = authority(options.path);
    targets
      .addressOf(plainHost(host))
      .then((address) => {
        const path = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
        dispatch({ ...options, path, headers: { ...options.headers, host: path } }, handler);
      })
      .catch((cause: Error) => handler.onResponseError?.(null as never, cause));
    return true;
  };
}

export interface TunnelOptions extends EnvHttpProxyAgent.Options {
  readonly targets: Targets;
  readonly proxies: Readonly<Record<keyof ProxySettings, string>>;
  /** Milliseconds until a tunnel must be there. */
  readonly tunnelMs: number;
  /** Certificates to trust in place of the system's. */
  readonly ca: string | undefined;
}

/** Connections through the proxies that are set, and past them to the hosts of `NO_PROXY`. */
export function tunnelAgent({ targets, proxies, tunnelMs, ca, ...options }: TunnelOptions): Dispatcher {
  const timeout = tunnelMs;
  return new EnvHttpProxyAgent({
    ...options,
    ...proxies,
    proxyTls: { timeout },
    requestTls: { timeout, ...(ca === undefined ? {} : { ca }) },
    clientFactory: (origin, given) =>
      new Pool(origin, { ...given, headersTimeout: timeout, bodyTimeout: timeout }).compose(
        toCheckedAddress(targets),
      ),
  });
}
