import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A picture that its first bytes say is a JPEG, of so many bytes that differ by the seed. */
export function jpeg(bytes: number, seed = 0): Buffer {
  const picture = Buffer.alloc(bytes, (seed % 200) + 1);
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00, 0x01]).copy(picture);
  return picture;
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A media host for tests: its handlers by path, and the requests it received. */
export interface MediaUpstream {
  readonly origin: string;
  readonly port: number;
  readonly requests: { readonly path: string; readonly range: string | undefined }[];
  on(path: string, handler: Handler): void;
  close(): void;
}

/** Serves a file as a well-behaved media host does, with ETag, length and range support. */
export function serve(file: Buffer, type = 'image/jpeg', etag = `"${sha256(file).slice(0, 12)}"`): Handler {
  return (request, response) => {
    const [, first] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
    const fits = first !== undefined && request.headers['if-range'] === etag;
    const from = fits ? Number(first) : 0;
    response.writeHead(fits ? 206 : 200, {
      'content-type': type,
      etag,
      'content-length': file.length - from,
      ...(fits ? { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` } : {}),
    });
    response.end(file.subarray(from));
  };
}

export async function startMediaUpstream(host = '127.0.0.1'): Promise<MediaUpstream> {
  const handlers = new Map<string, Handler>();
  const requests: MediaUpstream['requests'][number][] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    requests.push({ path, range: request.headers.range });
    const handler = handlers.get(path);
    if (handler === undefined) response.writeHead(404).end();
    else handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${host}:${port}`,
    port,
    requests,
    on: (path, handler) => handlers.set(path, handler),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
