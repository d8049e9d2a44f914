import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** The options of a bench server, as its one argument. */
export interface WantedServer {
  readonly kind: 'extract' | 'fastify' | 'http';
  /** The endpoint that is read. */
  readonly endpointPath: string;
  /** The size of the answer of ours. */
  readonly bytes?: number;
}

/** A list whose sample is about as large as real answers are. */
const endpoint = 'shortvideo/videos';

/** A server in a separate process. */
export interface StartedServer {
  readonly process: ChildProcess;
  readonly port: number;
  /** Key of an account that can pay; of our own servers alone. */
  readonly secret: string;
  readonly query: string;
}

/** A request of our servers, and the answer to it, which came from the cache. */
export interface CachedRead {
  readonly request: Buffer;
  readonly body: string;
}

/** Starts a server. The others than ours get the body that they answer with. */
export async function startServer(
  program: string,
  kind: WantedServer['kind'],
  { body, ...more }: Omit<WantedServer, 'kind' | 'endpointPath'> & { readonly body?: string } = {},
): Promise<StartedServer> {
  const config: WantedServer = { kind, endpointPath: endpoint, ...more };
  const child = fork(program, [JSON.stringify(config)], { execArgv: [] });
  if (body !== undefined) child.send(body);
  const [started] = (await once(child, 'message')) as [Omit<StartedServer, 'process'>];
  return { process: child, ...started };
}

/** Asks one of our servers until it answers from its cache. */
export async function readCached({ port, query, secret }: StartedServer): Promise<CachedRead> {
  const url = `/v1/${endpoint}?${query}`;
  const authorization = `Bearer ${secret}`;
  const ask = async () =>
    (await fetch(`http://127.0.0.1:${port}${url}`, { headers: { authorization } })).text();
  await ask();
  const body = await ask();
  if (!body.includes('"cached":true')) throw new Error(`not a hit: ${body.slice(0, 300)}`);
  const head = `GET ${url} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${authorization}\r\n\r\n`;
  return { request: Buffer.from(head), body };
}
