import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { createServer } from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { type Authority, authority } from '../support/authority.js';

const host = 'www.tiktok.com';

/** How the platform answers, and how the proxy routes requests to it. */
export type Mood =
  | 'answers'
  | 'slow'
  | 'large'
  | 'breaks off'
  | 'garbage'
  | 'failing'
  | 'proxy closes'
  | 'proxy drops'
  | 'proxy refuses'
  | 'proxy is silent'
  | 'proxy lies';

/** A local platform: pages of invented accounts, over TLS behind a proxy. */
export interface Platform {
  mood: Mood;
  /** Settings that direct a program to it. */
  readonly env: Readonly<Record<string, string>>;
  /** Certificates for other local servers, which the programs trust, too. */
  readonly issue: Authority['issue'];
  /** Number of accepted proxy connections and of requested pages. */
  readonly counts: { connections: number; pages: number };
  /** Ends every open connection, so that the next call needs a new one. */
  cut(): void;
  close(): void;
}

const handle = 'mira.kettle';

/** Bytes of a large page; the limit is 5 MiB. */
const largeBytes = 5_000_000;

function pageOf(template: string, name: string): string {
  return template.replaceAll(handle, name);
}

/**
 * Starts it; its certificates are written to `folder`. Names that begin with `missing` do not exist. Without an
 * `address`, only this machine can reach it.
 */
export async function startPlatform(folder: string, address = '127.0.0.1'): Promise<Platform> {
  const fixtures = path.join(packageRoot(), 'fixtures', 'shortvideo', 'profile');
  const page = readFileSync(path.join(fixtures, 'rich.html'), 'utf8');
  const missing = readFileSync(path.join(fixtures, 'missing.html'), 'utf8');
  const trusted = authority(folder);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('close', () => sockets.delete(socket));
  };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const platform: { mood: Mood; counts: { connections: number; pages: number } } = {
    mood: 'answers',
    counts: { connections: 0, pages: 0 },
  };
  const pages = createServer(trusted.issue(host), async (request, response) => {
    platform.counts.pages += 1;
    const name = decodeURIComponent(request.url?.split('/@')[1]?.split('?')[0] ?? '');
    const text = name.startsWith('missing') ? missing : pageOf(page, name);
    const body = platform.mood === 'large' ? text.padEnd(largeBytes) : text;
    const head = { 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(body) };
    if (platform.mood === 'slow') await new Promise((resolve) => setTimeout(resolve, 700));
    if (platform.mood === 'failing') response.writeHead(500).end('out of order');
    else if (platform.mood === 'garbage') request.socket.end('\u0000not http at all\r\n\r\n');
    else if (platform.mood === 'breaks off') {
      response.writeHead(200, head).write(body.slice(0, body.length / 2));
      setTimeout(() => response.destroy(), 10);
    } else response.writeHead(200, head).end(body);
  });
  pages.on('connection', keep);
  pages.listen(0, '127.0.0.1');
  await once(pages, 'listening');
  const { port } = pages.address() as AddressInfo;

  const proxy = http.createServer((_, response) => response.writeHead(500).end());
  proxy.on('connection', (socket: Socket) => {
    platform.counts.connections += 1;
    keep(socket);
  });
  proxy.on('connect', (_, socket: Socket, head: Buffer) => {
    if (platform.mood === 'proxy closes') return socket.destroy();
    if (platform.mood === 'proxy drops') return socket.end('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (platform.mood === 'proxy refuses') return socket.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n');
    if (platform.mood === 'proxy is silent') return undefined;
    if (platform.mood === 'proxy lies') return socket.end('HTTP/1.1 200 OK\r\n\r\n<html>a login page</html>');
    const onward = net.connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    keep(onward);
    onward.on('error', () => socket.destroy());
    return undefined;
  });
  proxy.listen(0, address);
  await once(proxy, 'listening');
  return Object.assign(platform, {
    env: {
      HTTPS_PROXY: `http://${address}:${(proxy.address() as AddressInfo).port}`,
      NO_PROXY: '127.0.0.1,localhost',
      NODE_EXTRA_CA_CERTS: trusted.file,
      EXTRACT_PACE_MS: '0',
      EXTRACT_CONCURRENCY: '24',
      EXTRACT_COOLDOWN_MS: '0',
      EXTRACT_TIMEOUT_MS: '15000',
    },
    issue: trusted.issue,
    cut,
    close() {
      cut();
      pages.close();
      proxy.close();
    },
  });
}
