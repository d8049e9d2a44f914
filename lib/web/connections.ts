import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { Proxies } from './proxies.js';
import { ProxyPool } from './proxy-pool.js';
import { tunnelAgent } from './tunnel-agent.js';

export interface ConnectionTimeouts {
  /** Milliseconds for DNS lookup, connection and TLS. */
  readonly connectMs: number;
  /** Milliseconds from the request to the response headers. */
  readonly headersMs: number;
  /** Milliseconds without a byte of the body. */
  readonly bodyMs: number;
}

/** How long an idle connection stays open: longer than a polite pace, shorter than the usual server timeout. */
const keepAliveMs = 10_000;

/** The platforms send long cookie and policy headers, beyond Node's default of 16 KiB. */
const maxHeaderBytes = 64 * 1024;

/** Pooled keep-alive connections, and a way to close them all. */
export interface Connections {
  readonly dispatcher: Dispatcher;
  close(): Promise<void>;
}

/**
 * Creates connections to the hosts of one site, direct or through proxies, with at most `atOnce` to each.
 * `NODE_EXTRA_CA_CERTS` needs no handling: Node adds it to the authorities of every TLS connection.
 */
export function connections(
  proxies: Proxies | null,
  timeouts: ConnectionTimeouts,
  atOnce: number,
): Connections {
  const { connectMs, headersMs, bodyMs } = timeouts;
  const sockets = new Set<Socket>();
  const connector = buildConnector({ timeout: connectMs });
  /** Tracks the socket: undici does not destroy one that is still connecting, which would outlive a close. */
  const connect: buildConnector.connector = (options, done) => {
    const socket = (connector as (...args: Parameters<buildConnector.connector>) => Socket)(options, done);
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
      : tunnelAgent({
          ...common,
          proxies,
          requestTls: { timeout: connectMs },
          // Connections to the proxy itself have no other timeouts.
          poolOf: (address, _, setting) =>
            new ProxyPool(address, { connect, headersTimeout: connectMs, bodyTimeout: bodyMs }, setting),
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
