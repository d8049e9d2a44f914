import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { StorageError } from '../../../../lib/errors/storage-error.js';
import type { CallSignal } from '../../../../lib/runtime/abort.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { type BucketAddress, bucketText } from '../../../files/bucket/bucket-address.js';
import type { BucketClient } from '../../../files/bucket/bucket-client.js';
import { BucketFault } from '../../../files/bucket/bucket-fault.js';
import { FileUpload } from '../../../files/bucket/file-upload.js';
import { discardLeftUploads, uploadsFolder } from '../../../files/bucket/left-uploads.js';
import { objectType, openBucketClient } from '../../../files/bucket/open-bucket.js';
import { type Context, configOf } from '../context.js';
import { UsageError } from '../usage-error.js';

/** The upload of a local file as an object. */
export interface ObjectUpload {
  /** Uploads complete parts of the first `bytes`, which are final, while the file grows. Never rejects. */
  grow(bytes: number): void;
  /** Completes the object. If it throws, the upload can be continued. */
  finish(): Promise<void>;
  /** Deletes the uploaded parts. */
  discard(signal: CallSignal): Promise<void>;
}

export interface Bucket {
  readonly home: string;
  /** The folder of files to be uploaded. */
  readonly uploads: string;
  /**
   * Starts the upload of a local file, and creates its folder. Throws if the object cannot be written, before anything
   * is requested or charged, and with the message `existsMessage` if the object exists; null to replace it.
   */
  begin(file: string, address: BucketAddress, existsMessage: string | null): Promise<ObjectUpload>;
}

/** Advice for responses whose own message has none. */
const hints: Readonly<Record<string, string>> = {
  NoSuchBucket: 'Create it, or correct its name.',
  AccessDenied: 'Grant it write permission, or set another key with EXTRACT_S3_KEY_ID.',
  RequestTimeTooSkewed: 'Set it.',
};

/**
 * Converts a storage fault to an error that names the object, and returns anything else unchanged. If the storage
 * refuses, the address or a setting is wrong.
 */
function bucketFailure(address: BucketAddress, cause: unknown): unknown {
  if (!(cause instanceof BucketFault)) return cause;
  const text = `${bucketText(address)} cannot be written: ${cause.message}.`;
  if (cause.again) {
    const isSilent = cause.status === null;
    const next = isSilent
      ? 'Check EXTRACT_S3_ENDPOINT and the network, then try again.'
      : 'Try again in a moment.';
    return new StorageError(isSilent ? 'unreachable' : 'failed', text, { cause, next });
  }
  const advised = cause.message.includes('; ') ? '' : 'Check EXTRACT_S3_ENDPOINT and the key.';
  return new UsageError('invalid_parameter', text, hints[cause.code ?? ''] ?? advised);
}

async function requireWritable(
  client: BucketClient,
  address: BucketAddress,
  existsMessage: string | null,
  signal: CallSignal,
): Promise<void> {
  try {
    await client.requireWritable(address, signal);
    if (existsMessage === null) return;
    if ((await client.find(address, signal)) === null) return;
  } catch (cause) {
    // The response to `find` only has a status, and the upload before it was allowed.
    const cannotCheck = cause instanceof BucketFault && cause.status === 403 && cause.code === null;
    const text = 'the key may not check whether it exists; allow it to list the bucket, or use --overwrite';
    throw bucketFailure(address, cannotCheck ? new BucketFault(text, 403, null, cause) : cause);
  }
  throw new UsageError('invalid_parameter', existsMessage);
}

export async function withBucket(context: Context, work: (bucket: Bucket) => Promise<void>): Promise<void> {
  const { signal } = context;
  const config = await configOf(context);
  const client = openBucketClient(config);
  const { home } = config;
  const uploads = uploadsFolder(home);
  try {
    await work({
      ...{ home, uploads },
      async begin(file, address, existsText) {
        await requireWritable(client, address, existsText, signal);
        await mkdir(path.dirname(file), { recursive: true });
        await discardLeftUploads(client, uploads, systemClock.now(), signal).catch((cause: unknown) => {
          // Another process left it, possibly for another object, so this object can be written.
          if (!(cause instanceof BucketFault)) throw cause;
        });
        const upload = new FileUpload({ client, address, type: objectType(address), file });
        return {
          grow: (bytes) => upload.grow(bytes, signal),
          finish: () =>
            upload.finish(signal).catch((cause: unknown) => {
              throw bucketFailure(address, cause);
            }),
          discard: (limit) => upload.discard(limit),
        };
      },
    });
  } finally {
    await client.close();
  }
}
