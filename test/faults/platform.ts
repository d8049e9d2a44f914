import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { createServer } from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { type Authority, authority } from '../support/authority.js';

const host = 'www.tiktok.com';

/** How the platform answers, and how the proxy before it leads there. */
export type Mood = 'answers' | 'slow' | 'proxy is silent';

/** A platform of this machine's own: pages of invented accounts, by TLS behind a proxy. */
export interface Platform {
  mood: Mood;
  /** Settings with which a program reads from it. */
  readonly env: Readonly<Record<string, string>>;
  /** Certificates for other servers of this machine, which the programs trust too. */
  readonly issue: Authority['issue'];
  /** Ends every open connection, so that the next call needs a new one. */
  cut(): void;
  close(): void;
}

const handle = 'mira.kettle';

function pageOf(template: string, name: string): string {
  return template.replaceAll(handle, name);
}

/**
 * Starts it; `folder` gets its certificates. Names that begin with `missing` are no accounts. Only this machine reaches it,
 * where its `address` is not given.
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
  const platform: { mood: Mood } = { mood: 'answers' };
  const pages = createServer(trusted.issue(host), async (request, response) => {
    const name = decodeURIComponent(request.url?.split('/@')[1]?.split('?')[0] ?? '');
    const body = name.startsWith('missing') ? missing : pageOf(page, name);
    const head = { 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(body) };
    if (platform.mood === 'slow') await new Promise((resolve) => setTimeout(resolve, 700));
    response.writeHead(200, head).end(body);
  });
  pages.on('connection', keep);
  pages.listen(0, '127.0.0.1');
  await once(pages, 'listening');
  const { port } = pages.address() as AddressInfo;

  const proxy = http.createServer((_, response) => response.writeHead(500).end());
  proxy.on('connection', keep);
  proxy.on('connect', (_, socket: Socket, head: Buffer) => {
    if (platform.mood === 'proxy is silent') return undefined;
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
