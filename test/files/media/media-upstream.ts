import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { systemClock } from '../../../lib/runtime/clock.js';
import { type MediaOptions, MediaSource } from '../../../lib/web/media-source.js';
import { MediaFolder, type MediaTotals } from '../../../src/files/media/media-folder.js';
import type { MediaRef } from '../../../src/files/media/media-items.js';
import { ndjsonValues } from '../../support/ndjson.js';

/** A picture that its first bytes say is a JPEG, of so many bytes that differ by the seed. */
export function jpeg(bytes: number, seed = 0): Buffer {
  const picture = Buffer.alloc(bytes, (seed % 200) + 1);
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00, 0x01]).copy(picture);
  return picture;
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A media host for tests: its handlers by path, and the requests it received. */
export interface MediaUpstream {
  readonly origin: string;
  readonly port: number;
  readonly requests: { readonly path: string; readonly range: string | undefined }[];
  /** Answers requests for a path by these in turn, the last again and again. */
  on(path: string, ...handlers: Handler[]): void;
  close(): void;
}

/** Serves a file as a well-behaved media host does, with ETag, length and range support: all of it, or up to a byte. */
export function serve(file: Buffer, type = 'image/jpeg', to = file.length): Handler {
  const etag = `"${sha256(file).slice(0, 12)}"`;
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
    response.write(file.subarray(from, to));
    if (to === file.length) response.end();
  };
}

export async function startMediaUpstream(host = '127.0.0.1'): Promise<MediaUpstream> {
  const handlersByPath = new Map<string, Handler[]>();
  const requests: MediaUpstream['requests'][number][] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    requests.push({ path: pathname, range: request.headers.range });
    const handlers = handlersByPath.get(pathname) ?? [];
    const handler = handlers.length > 1 ? handlers.shift() : handlers[0];
    if (handler === undefined) response.writeHead(404).end();
    else handler(request, response);
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${host}:${port}`,
    port,
    requests,
    on: (path, ...handlers) => handlersByPath.set(path, handlers),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Media of a platform, from a host of the tests alone. */
export const mediaSource = (
  { port }: MediaUpstream,
  { ms = 0, concurrency = 4, ...more }: Partial<MediaOptions> & { ms?: number; concurrency?: number } = {},
) =>
  new MediaSource({
    site: { hosts: [`127.0.0.1:${port}`], fields: {}, pace: { ms, concurrency } },
    ...{ platform: 'photosocial', userAgent: 'test', cooldownMs: 60_000, proxy: {}, clock: systemClock },
    ...more,
  });

interface SavedMedia {
  readonly totals: MediaTotals;
  readonly lines: readonly ManifestLine[];
  readonly files: readonly string[];
}

interface ManifestLine extends MediaRef {
  readonly file?: string;
  readonly bytes?: number;
  readonly type?: string;
  readonly sha256?: string;
  readonly text?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Lines of the manifest of a folder. */
export const linesOf = (dir: string): ManifestLine[] =>
  ndjsonValues(readFileSync(path.join(dir, 'manifest.ndjson'), 'utf8'));

/** Saves media into a folder, as one run does, and reads the folder. */
export async function saveMedia(
  dir: string,
  source: MediaSource,
  refs: readonly MediaRef[],
  { signal } = new AbortController(),
): Promise<SavedMedia> {
  const folder = await MediaFolder.open(dir, source, 1_000_000);
  try {
    await Promise.all(refs.map((one) => folder.save(one, signal)));
  } finally {
    await source.close();
    await folder.close();
  }
  return { totals: folder.totals, lines: linesOf(dir), files: readdirSync(dir).sort() };
}
