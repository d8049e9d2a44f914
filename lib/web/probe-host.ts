import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import net, { type Socket } from 'node:net';
import tls from 'node:tls';
import type { ProxySettings } from './proxies.js';
import { isDirect, proxiesOf } from './proxies.js';

/** How far a connection to a host got: the end, or the step that failed. */
export type HostProbe =
  | { readonly ok: true; readonly milliseconds: number; readonly proxied: boolean }
  | {
      readonly ok: false;
      readonly step: 'name' | 'connection' | 'proxy' | 'tls';
      /** Code of the fault, such as `ENOTFOUND`; for a proxy its status. */
      readonly code: string;
      readonly proxied: boolean;
    };

export interface ProbeOptions {
  readonly proxy: ProxySettings;
  readonly timeoutMs: number;
  readonly port?: number;
}

type Step = Extract<HostProbe, { ok: false }>['step'];

class ProbeFault extends Error {
  readonly step: Step;
  readonly code: string;

  constructor(step: Step, code: string, cause?: unknown) {
    super(`${step}: ${code}`, { cause });
    this.step = step;
    this.code = code;
  }
}

const codeOf = (cause: unknown) => String((cause as NodeJS.ErrnoException).code ?? 'failed');

function settleStep(socket: Socket, step: Step): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket));
    socket.once('error', (cause) => reject(new ProbeFault(step, codeOf(cause), cause)));
  });
}

async function connectDirect(host: string, port: number, sockets: Socket[]): Promise<Socket> {
  const address = await lookup(host).catch((cause: unknown) => {
    throw new ProbeFault('name', codeOf(cause), cause);
  });
  const socket = net.connect({ host: address.address, port });
  sockets.push(socket);
  return settleStep(socket, 'connection');
}

function connectThrough(proxy: URL, host: string, port: number, sockets: Socket[]): Promise<Socket> {
  const user = decodeURIComponent(proxy.username);
  const login = Buffer.from(`${user}:${decodeURIComponent(proxy.password)}`).toString('base64');
  const options = {
    host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : Number(proxy.port),
    method: 'CONNECT',
    path: `${host}:${port}`,
    headers: { host: `${host}:${port}`, ...(user === '' ? {} : { 'proxy-authorization': `Basic ${login}` }) },
    agent: false as const,
  };
  return new Promise((resolve, reject) => {
    const request = proxy.protocol === 'https:' ? https.request(options) : http.request(options);
    request.on('socket', (socket) => sockets.push(socket));
    request.on('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) resolve(socket);
      else reject(new ProbeFault('proxy', String(statusCode)));
    });
    // The proxy responded like an ordinary server.
    request.on('response', ({ statusCode }) => reject(new ProbeFault('proxy', String(statusCode))));
    request.on('error', (cause) => reject(new ProbeFault('proxy', codeOf(cause), cause)));
    request.end();
  });
}

function handshake(socket: Socket, host: string, sockets: Socket[]): Promise<void> {
  return new Promise((resolve, reject) => {
    // An IP address is not a valid server name, and Node.js 26 throws for one (RFC 6066, section 3).
    const secure = tls.connect({ socket, host, ...(net.isIP(host) === 0 && { servername: host }) });
    sockets.push(secure);
    secure.on('close', () => socket.destroy());
    secure.once('secureConnect', () => resolve());
    secure.once('error', (cause) => reject(new ProbeFault('tls', codeOf(cause), cause)));
    secure.once('close', () => reject(new ProbeFault('tls', 'closed')));
  });
}

/** Resolves a host, connects, completes the TLS handshake and disconnects. No request is sent. Never rejects. */
export async function probeHost(
  host: string,
  { proxy, timeoutMs, port = 443 }: ProbeOptions,
): Promise<HostProbe> {
  const proxies = proxiesOf(proxy);
  const proxied = proxies !== null && proxies.httpsProxy !== '' && !isDirect(host, proxies.noProxy);
  const sockets: Socket[] = [];
  let step: Step = proxied ? 'proxy' : 'connection';
  let timer: NodeJS.Timeout | undefined;
  const began = performance.now();
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ProbeFault(step, 'timeout')), timeoutMs);
  });
  const work = async () => {
    const socket = proxied
      ? await connectThrough(new URL(proxies.httpsProxy), host, port, sockets)
      : await connectDirect(host, port, sockets);
    step = 'tls';
    await handshake(socket, host, sockets);
  };
  try {
    await Promise.race([work(), timeout]);
    return { ok: true, milliseconds: Math.round(performance.now() - began), proxied };
  } catch (cause) {
    if (cause instanceof ProbeFault) return { ok: false, step: cause.step, code: cause.code, proxied };
    return { ok: false, step, code: codeOf(cause), proxied };
  } finally {
    clearTimeout(timer);
    for (const socket of sockets) socket.on('error', () => undefined);
    // Only the outermost: Node.js 24.21 crashes if the socket below TLS is destroyed first (seen 2026-11).
    sockets.at(-1)?.destroy();
  }
}
