import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import S3rver, { type Middleware } from '@20minutes/s3rver';
import { temporaryFolder } from './temporary-folder.js';

/** The bucket of the tests. */
export const bucketName = 'results';

/** An S3-compatible storage on the loopback, which checks signatures. */
export interface BucketServer {
  readonly url: string;
  /** Settings that name it. */
  readonly env: Readonly<Record<string, string>>;
  /** Requests received, such as `PUT /results/a.csv?partNumber=1`, without the ids of uploads. */
  readonly requests: string[];
  /** The bytes of an object; null if it does not exist. */
  object(key: string): Buffer | null;
  /** Ids of the uploads that are neither finished nor aborted. */
  uploads(): string[];
  /** Answers the next requests that it matches: with a status, or with null by cutting the connection. */
  fail(matches: RegExp, status: number | null, times?: number): void;
  /** Never answers the next request that it matches. */
  hang(matches: RegExp): void;
  /** Handles the next matching request, then cuts the connection instead of answering. */
  lose(matches: RegExp): void;
  close(): Promise<void>;
}

/**
 * Opens a storage: s3rver with a proxy for what it lacks: aborting an upload deletes its parts, and an unknown upload
 * is an error.
 */
export async function openBucketServer(port = 0, directory = temporaryFolder()): Promise<BucketServer> {
  const server = new S3rver({
    ...{ address: '127.0.0.1', port, silent: true, directory, vhostBuckets: false },
    configureBuckets: [{ name: bucketName, configs: [] }],
  });
  const requests: string[] = [];
  const faults: { matches: RegExp; status: number | null; times: number; does?: boolean; hangs?: boolean }[] =
    [];
  /** Connections of unanswered requests, whose unread data would keep the server from closing. */
  const hung: { destroy(): void }[] = [];
  const uploadsFolder = server.store.getResourcePath(bucketName, undefined, 'uploads');
  const handler: Middleware = async (context, next) => {
    const { method, query } = context;
    const part = query.partNumber === undefined ? '' : `?partNumber=${query.partNumber}`;
    const kind =
      query.uploads !== undefined
        ? '?uploads'
        : query.uploadId !== undefined && part === ''
          ? '?uploadId'
          : part;
    const request = `${method} ${context.path}${kind}`;
    requests.push(request);
    const fault = faults.find(({ matches, times }) => times > 0 && matches.test(request));
    if (fault !== undefined) {
      fault.times -= 1;
      if (fault.does === true) await next();
      if (fault.hangs === true) {
        context.respond = false;
        hung.push(context.req.socket);
        return;
      }
      if (fault.status === null) {
        context.respond = false;
        context.req.socket.destroy();
      } else context.status = fault.status;
      return;
    }
    if (query.uploadId === undefined) return next();
    const folder = path.join(uploadsFolder, query.uploadId);
    if (!existsSync(folder)) {
      context.status = 404;
      context.body = '<Error><Code>NoSuchUpload</Code></Error>';
    } else if (method === 'DELETE') {
      context.status = 204;
      rmSync(folder, { recursive: true });
    } else await next();
  };
  server.middleware.unshift(handler);
  const { port: serverPort } = await server.run();
  const url = `http://127.0.0.1:${serverPort}`;
  return {
    ...{ url, requests },
    env: {
      EXTRACT_S3_ENDPOINT: url,
      EXTRACT_S3_KEY_ID: 'S3RVER',
      EXTRACT_S3_SECRET: 'S3RVER',
      EXTRACT_S3_BUCKET: bucketName,
    },
    object(key) {
      const file = server.store.getResourcePath(bucketName, key, 'object');
      return existsSync(file) ? readFileSync(file) : null;
    },
    uploads: () => (existsSync(uploadsFolder) ? readdirSync(uploadsFolder) : []),
    fail: (matches, status, times = 1) => void faults.push({ matches, status, times }),
    hang: (matches) => void faults.push({ matches, status: null, times: 1, hangs: true }),
    lose: (matches) => void faults.push({ matches, status: null, times: 1, does: true }),
    close: () => {
      for (const socket of hung) socket.destroy();
      return server.close();
    },
  };
}
