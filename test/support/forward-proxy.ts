import http from 'node:http';
import net, { type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { listenFor } from './loopback.js';

export interface ForwardProxy {
  readonly url: string;
  readonly port: number;
  /** `host:port` of every requested tunnel, in order. */
  readonly tunnels: string[];
  /** `Proxy-Authorization` of each. */
  readonly credentials: (string | undefined)[];
}

/** A proxy that connects every tunnel to one local port, or refuses it with a status. */
export async function forwardProxy(
  t: TestContext,
  to: { readonly port: number } | { readonly status: number } | 'silence',
): Promise<ForwardProxy> {
  const tunnels: string[] = [];
  const credentials: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  const server = http.createServer((_request, response) => response.writeHead(500).end('not a tunnel'));
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  server.on('connect', (request, socket: Socket, head: Buffer) => {
    tunnels.push(request.url ?? '');
    credentials.push(request.headers['proxy-authorization']);
    if (to === 'silence') return;
    if ('status' in to) {
      socket.end(`HTTP/1.1 ${to.status} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const onward = net.connect(to.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    sockets.add(onward.on('error', () => socket.destroy()));
    // Disconnecting one side does not close the other.
    socket.once('close', () => onward.destroy());
    onward.once('close', () => socket.destroy());
  });
  const port = await listenFor(t, server, sockets);
  return { url: `http://127.0.0.1:${port}`, port, tunnels, credentials };
}
