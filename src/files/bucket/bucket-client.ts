import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import type { CallSignal } from '../../../lib/runtime/abort.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { version } from '../../../lib/runtime/version.js';
import { readBody } from '../../../lib/web/body.js';
import { type Connections, connections } from '../../../lib/web/connections.js';
import { type ProxySettings, proxiesOf } from '../../../lib/web/proxies.js';
import type { BucketSettings } from '../../config/bucket-config.js';
import type { BucketAddress } from './bucket-address.js';
import { answeredFault, BucketFault, elementOf, silentFault } from './bucket-fault.js';

/** Milliseconds to connect, until the response starts, and between two chunks of it. */
const timeouts = { connectMs: 10_000, headersMs: 60_000, bodyMs: 60_000 };
const atOnce = 8;
const maxAnswerBytes = 1024 * 1024;
/** Milliseconds before each retry. Repeating a request is safe, because each write names its position. */
const pauses = [500, 2000, 5000];

export interface BucketClientOptions {
  readonly settings: BucketSettings;
  readonly proxy: ProxySettings;
  readonly clock: Clock;
}

/** A part in the storage, with its tag. */
export interface StoredPart {
  readonly number: number;
  readonly etag: string;
}

export interface StoredObject {
  readonly size: number;
  /** The mark set when its upload started. */
  readonly mark: string | null;
}

interface Request {
  readonly method: 'PUT' | 'POST' | 'DELETE' | 'HEAD';
  readonly address: BucketAddress;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

interface Response {
  readonly status: number;
  readonly text: string;
  readonly header: (name: string) => string | null;
}

const markHeader = 'x-amz-meta-extract-upload';
const entity = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * The S3 requests that write an object, signed (Signature Version 4), with the bucket in the path. All reject with
 * `BucketFault`.
 */
export class BucketClient {
  readonly #options: BucketClientOptions;
  readonly #connections: Connections;

  constructor(options: BucketClientOptions) {
    this.#options = options;
    this.#connections = connections(proxiesOf(options.proxy), timeouts, atOnce);
  }

  async close(): Promise<void> {
    await this.#connections.close();
  }

  /** Writes a complete object, replacing any existing one. */
  async put(address: BucketAddress, body: Buffer, type: string, signal?: CallSignal): Promise<void> {
    await this.#send({ method: 'PUT', address, body, headers: { 'content-type': type } }, signal);
  }

  /** Starts a multipart upload of an object with a mark, and resolves with its ID. */
  async begin(address: BucketAddress, type: string, mark: string, signal?: CallSignal): Promise<string> {
    const headers = { 'content-type': type, [markHeader]: mark };
    const { status, text } = await this.#send(
      { method: 'POST', address, query: { uploads: '' }, headers },
      signal,
    );
    const id = elementOf(text, 'UploadId');
    if (id === null || id === '') throw new BucketFault('it started no upload', status, null);
    return id;
  }

  /** Writes one part, replacing any with the same number. */
  async putPart(
    address: BucketAddress,
    upload: string,
    number: number,
    body: Buffer,
    signal?: CallSignal,
  ): Promise<StoredPart> {
    const query = { partNumber: String(number), uploadId: upload };
    const { status, header } = await this.#send({ method: 'PUT', address, query, body }, signal);
    const etag = header('etag');
    if (etag === null) throw new BucketFault('it returned no tag for a part', status, null);
    return { number, etag };
  }

  /** Completes the upload. The response may be an error despite its status. */
  async complete(
    address: BucketAddress,
    upload: string,
    parts: readonly StoredPart[],
    signal?: CallSignal,
  ): Promise<void> {
    const listed = parts.map(
      ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${entity(etag)}</ETag></Part>`,
    );
    const body = Buffer.from(`<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`);
    const headers = { 'content-type': 'application/xml' };
    const query = { uploadId: upload };
    const { text } = await this.#send({ method: 'POST', address, query, body, headers }, signal);
    if (text.includes('<Error>')) throw answeredFault(500, text);
  }

  /** Aborts an upload and deletes its parts; a missing one counts as aborted. */
  async abort(address: BucketAddress, upload: string, signal?: CallSignal): Promise<void> {
    try {
      await this.#send({ method: 'DELETE', address, query: { uploadId: upload } }, signal);
    } catch (cause) {
      if (!(cause instanceof BucketFault) || cause.status !== 404) throw cause;
    }
  }

  /** Returns the existing object; null for none. */
  async find(address: BucketAddress, signal?: CallSignal): Promise<StoredObject | null> {
    try {
      const { header } = await this.#send({ method: 'HEAD', address }, signal);
      return { size: Number(header('content-length')), mark: header(markHeader) };
    } catch (cause) {
      if (cause instanceof BucketFault && cause.status === 404) return null;
      throw cause;
    }
  }

  /**
   * Rejects if an object cannot be written. Starts and aborts an upload of it, because only that reveals a missing
   * bucket or missing write permission; no object is touched.
   */
  async requireWritable(address: BucketAddress, signal?: CallSignal): Promise<void> {
    const upload = await this.begin(address, 'application/octet-stream', 'probe', signal);
    await this.abort(address, upload, signal).catch((cause: unknown) => {
      // The key may write but not abort, which is good enough: the upload has no parts.
      if (!(cause instanceof BucketFault)) throw cause;
    });
  }

  /** Sends a request until it is answered, or retries are pointless. */
  async #send(request: Request, signal: CallSignal | undefined): Promise<Response> {
    for (let tries = 0; ; tries += 1) {
      signal?.throwIfAborted();
      try {
        return await this.#try(request, signal);
      } catch (cause) {
        if (signal?.aborted === true) throw signal.reason;
        const fault = cause instanceof BucketFault ? cause : silentFault(cause);
        const pause = pauses[tries];
        if (!fault.again || pause === undefined) throw fault;
        await this.#options.clock.sleep(pause, signal);
      }
    }
  }

  async #try({ method, address, query = {}, headers = {}, body }: Request, signal: CallSignal | undefined) {
    const { endpoint, region, keyId, secret } = this.#options.settings;
    const url = new URL(endpoint);
    const path = [address.bucket, ...address.key.split('/')].map(encodeURIComponent).join('/');
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    // The signature covers the bytes, so they cannot be changed in transit.
    const digest = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const signedHeaders = { ...headers, 'x-amz-content-sha256': digest };
    // Uses the real clock, because the storage compares the date with its own.
    const signer = new AwsV4Signer({
      ...{ method, url: url.href, headers: signedHeaders, service: 's3', region },
      ...{ accessKeyId: keyId, secretAccessKey: secret },
    });
    const signed = await signer.sign();
    const answer = await this.#connections.dispatcher.request({
      ...{ origin: signed.url.origin, path: `${signed.url.pathname}${signed.url.search}`, method },
      headers: { ...Object.fromEntries(signed.headers), 'user-agent': `public-extract/${version}` },
      ...(body === undefined ? {} : { body }),
      // undici only uses these members.
      ...(signal === undefined ? {} : { signal: signal as AbortSignal }),
    });
    const text = Buffer.from(await readBody(answer.body, '', undefined, maxAnswerBytes)).toString('utf8');
    const header = (name: string) => {
      const value = answer.headers[name];
      return typeof value === 'string' ? value : null;
    };
    if (answer.statusCode < 200 || answer.statusCode > 299) throw answeredFault(answer.statusCode, text);
    return { status: answer.statusCode, text, header };
  }
}
