import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';

/** A test, or a file of tests. */
interface Ending {
  after(end: () => void): void;
}

export interface Loopback {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly origin: string;
  readonly port: number;
  /** Method and path of every request, in order. */
  readonly requests: string[];
  /** Every accepted connection, open or not. */
  readonly sockets: Set<Socket>;
  /** Resolves when no connection is open. */
  allClosed(): Promise<void>;
}

/** Listens on the loopback until the test ends, and then closes all connections. Returns the port. */
export async function listenFor(t: Ending, server: net.Server, sockets: Iterable<Socket>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A server that takes every connection and never says a word: a platform or a mail server that does not answer. */
export async function silentServer(t: Ending) {
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => sockets.add(socket.on('error', () => undefined).resume()));
  const connected = once(server, 'connection');
  const port = await listenFor(t, server, sockets);
  return { url: `http://127.0.0.1:${port}`, port, connected };
}

export type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** A server for one test, closed at its end. */
export async function loopback(
  t: Ending,
  handler: Handler,
  tls?: { readonly key: string; readonly cert: string },
): Promise<Loopback> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const listener: Handler = (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    handler(request, response);
  };
  const server = tls === undefined ? http.createServer(listener) : https.createServer(tls, listener);
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => {});
    sockets.add(socket);
  });
  const port = await listenFor(t, server, sockets);
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    requests,
    sockets,
    async allClosed() {
      for (const socket of sockets)
        if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
    },
  };
}

/** Reads the complete body of a request as text. */
export async function bodyOf(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
