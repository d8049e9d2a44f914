import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { ExtractError } from '../errors/extract-error.js';
import { ProxyPool } from './proxy-pool.js';

/** Proxies as `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name them. */
export interface ProxySettings {
  readonly httpsProxy?: string | undefined;
  readonly httpProxy?: string | undefined;
  /** Hosts that are asked directly: names with everything below them, `host:port`, or `*`. */
  readonly noProxy?: string | undefined;
}

/** The proxies in use, spelled out; at least one is set. */
export type Proxies = Readonly<Record<keyof ProxySettings, string>>;

export interface ConnectionTimeouts {
  /** Milliseconds for name lookup, connection and TLS. */
  readonly connectMs: number;
  /** Milliseconds from the request to the headers of the answer. */
  readonly headersMs: number;
  /** Milliseconds without a byte of the body. */
  readonly bodyMs: number;
}

/** How long an idle connection is kept: longer than a polite pace, shorter than servers commonly do. */
const keepAliveMs = 10_000;

/** The platforms' answers carry long cookie and policy headers: Node's own 16 KiB are too few. */
const maxHeaderBytes = 64 * 1024;

function proxyUrl(name: string, setting: string | undefined): string {
  if (setting === undefined || setting.trim() === '') return '';
  const text = setting.includes('://') ? setting.trim() : `http://${setting.trim()}`;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    // The setting itself is not repeated: it may hold a password.
    throw new ExtractError('invalid_parameter', `${name} is not the http or https URL of a proxy.`);
  }
  return text;
}

/**
 * The proxies to use, spelled out; null where none is set. Throws `invalid_parameter` for one that is no URL.
 */
export function proxiesOf(settings: ProxySettings): Proxies | null {
  const httpsProxy = proxyUrl('HTTPS_PROXY', settings.httpsProxy);
  const httpProxy = proxyUrl('HTTP_PROXY', settings.httpProxy);
  // Strings even where empty: undici would read the environment otherwise.
  return httpsProxy || httpProxy ? { httpsProxy, httpProxy, noProxy: settings.noProxy ?? '' } : null;
}

/** The setting that names the proxy at an address. */
export function settingOfProxy({ httpsProxy }: Proxies, address: URL): string {
  return httpsProxy !== '' && new URL(httpsProxy).href === address.href ? 'HTTPS_PROXY' : 'HTTP_PROXY';
}

/** Pooled keep-alive connections, and a way to be rid of all of them. */
export interface Connections {
  readonly dispatcher: Dispatcher;
  close(): Promise<void>;
}

/**
 * Connections to the hosts of one site, direct or through proxies: at most `atOnce` to each.
 * `NODE_EXTRA_CA_CERTS` needs nothing here: Node adds it to the authorities of every TLS connection.
 */
export function connections(
  proxies: Proxies | null,
  timeouts: ConnectionTimeouts,
  atOnce: number,
): Connections {
  const { connectMs, headersMs, bodyMs } = timeouts;
  const sockets = new Set<Socket>();
  const connector = buildConnector({ timeout: connectMs });
  /** Keeps an eye on the socket: undici does not end one that is still connecting, and it outlives a close. */
  const connect: buildConnector.connector = (options, done) => {
    const socket = (connector as (...given: Parameters<buildConnector.connector>) => Socket)(options, done);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  const common = {
    connections: atOnce,
    connect,
    headersTimeout: headersMs,
    bodyTimeout: bodyMs,
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: maxHeaderBytes,
  };
  const dispatcher =
    proxies === null
      ? new Agent(common)
      : new EnvHttpProxyAgent({
          ...common,
          ...proxies,
          // A tunnel for plain http too: a proxy learns of hosts and ports, never of keys and addresses.
          proxyTunnel: true,
          requestTls: { timeout: connectMs },
          // The connections to the proxy itself know no timeouts but those given here.
          clientFactory: (address) =>
            new ProxyPool(
              address,
              { connect, headersTimeout: connectMs, bodyTimeout: bodyMs },
              settingOfProxy(proxies, address),
            ),
        });
  return {
    dispatcher,
    async close() {
      const destroyed = dispatcher.destroy();
      for (const socket of sockets) socket.destroy();
      await destroyed;
    },
  };
}
