import net, { type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { listenFor } from './loopback.js';

const established = 'HTTP/1.1 200 Connection Established\r\n\r\n';

/** Proxies that open no tunnel, by how they answer a connection wrongly. */
export const brokenProxies = {
  'closes at once': (socket: Socket) => socket.end(),
  'resets at once': (socket: Socket) => socket.resetAndDestroy(),
  'closes on CONNECT': (socket: Socket) => socket.once('data', () => socket.end()),
  'resets on CONNECT': (socket: Socket) => socket.once('data', () => socket.resetAndDestroy()),
  'closes within its head': (socket: Socket) => socket.once('data', () => socket.end('HTTP/1.1 200 Conn')),
  'answers 101': (socket: Socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 101 Other\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')),
  'answers 503': (socket: Socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\n')),
  'answers no HTTP': (socket: Socket) => socket.once('data', () => socket.end('hello\r\n\r\n')),
  'answers with a page of its own': (socket: Socket) =>
    socket.once('data', () => socket.end(`${established}HTTP/1.1 200 OK\r\n\r\nwelcome`)),
  'closes the tunnel at once': (socket: Socket) => socket.once('data', () => socket.end(established)),
  'resets the tunnel at once': (socket: Socket) =>
    socket.once('data', () => socket.write(established, () => socket.resetAndDestroy())),
  'closes the tunnel after the first bytes': (socket: Socket) =>
    socket.once('data', () => {
      socket.write(established);
      socket.once('data', () => socket.end());
    }),
} as const;

export type BrokenProxy = keyof typeof brokenProxies;

/** Such a proxy, and its number of connections. */
export async function brokenProxy(
  t: TestContext,
  does: BrokenProxy,
): Promise<{ readonly url: string; connections(): number }> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    connections += 1;
    sockets.add(socket.on('error', () => {}));
    brokenProxies[does](socket);
  });
  const port = await listenFor(t, server, sockets);
  return { url: `http://127.0.0.1:${port}`, connections: () => connections };
}
