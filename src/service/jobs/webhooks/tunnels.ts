import { isIPv6 } from 'node:net';
import type { Dispatcher, Pool } from 'undici';
import { ProxyPool } from '../../../../lib/web/proxy-pool.js';
import { type TunnelAgentOptions, tunnelAgent } from '../../../../lib/web/tunnel-agent.js';
import { plainHost } from './addresses.js';
import type { Targets } from './targets.js';

/** Splits `host:port`, keeping the brackets of an IPv6 address. */
function authority(text: string): readonly [host: string, port: string] {
  const at = text.lastIndexOf(':');
  return [text.slice(0, at), text.slice(at + 1)];
}

/**
 * Makes every tunnel through a proxy lead to the checked address: the proxy would resolve the name again, perhaps to
 * another address. The certificate still proves who the receiver is.
 */
class CheckedProxyPool extends ProxyPool {
  readonly #targets: Targets;

  constructor(address: URL, options: Pool.Options, setting: string, targets: Targets) {
    super(address, options, setting);
    this.#targets = targets;
  }

  protected override async tunnel<T>(
    options: Dispatcher.ConnectOptions<T>,
  ): Promise<Dispatcher.ConnectData<T>> {
    const [host, port] = authority(options.path);
    const address = await this.#targets.addressOf(plainHost(host));
    const path = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
    const headers = { ...(options.headers as Readonly<Record<string, string>>), host: path };
    return super.tunnel({ ...options, path, headers });
  }
}

export interface CheckedTunnelOptions extends Omit<TunnelAgentOptions, 'poolOf'> {
  readonly targets: Targets;
  /** Milliseconds to open a tunnel. */
  readonly tunnelMs: number;
  /** Certificates to trust instead of the system's. */
  readonly ca: string | undefined;
}

/** Creates connections through the configured proxies, and direct ones to the hosts in `NO_PROXY`. */
export function checkedTunnelAgent({ targets, tunnelMs, ca, ...options }: CheckedTunnelOptions): Dispatcher {
  const timeout = tunnelMs;
  return tunnelAgent({
    ...options,
    proxyTls: { timeout },
    requestTls: { timeout, ...(ca === undefined ? {} : { ca }) },
    poolOf: (proxy, poolOptions, setting) =>
      new CheckedProxyPool(
        proxy,
        { ...poolOptions, headersTimeout: timeout, bodyTimeout: timeout },
        setting,
        targets,
      ),
  });
}
