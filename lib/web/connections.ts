import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { Proxies } from './proxies.js';
import { ProxyPool } from './proxy-pool.js';
import { tunnelAgent } from './tunnel-agent.js';

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
      : tunnelAgent({
          ...common,
          proxies,
          requestTls: { timeout: connectMs },
          // The connections to the proxy itself know no timeouts but those given here.
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
