import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { batchPaths, fileSize } from '../../../files/batch-files/batch-paths.js';
import {
  type BucketAddress,
  bucketText,
  isBucketAddress,
  parseBucketAddress,
} from '../../../files/bucket/bucket-address.js';
import { type Context, configOf } from '../context.js';
import type { Options } from '../output.js';

/**
 * The bucket that a batch writes to. Its lines and their checkpoint are files of the data directory, under the name of
 * the object: `--resume`, `--retry-failed` and `--append` find them there, as next to any other output.
 */
export interface BatchBucket {
  /** Returns the address of the object that a local file becomes, as users type it. */
  shown(file: string): string;
  /**
   * Starts the upload of a local file, whose folder exists. Throws if the object cannot be written, and if it was not
   * written by this machine, unless it may be replaced.
   */
  begin(file: string, mayReplace: boolean): Promise<OutputUpload>;
  /** Removes the local files of a finished run. */
  forget(file: string): Promise<void>;
}

/** The upload of a batch's output. */
interface OutputUpload {
  /** Sends complete parts of the first `bytes`, which are final, while the file grows. Never rejects. */
  grow(bytes: number): void;
  /** Makes the complete file the object. If it throws, the run is not finished: `--resume` sends what is missing. */
  finish(): Promise<void>;
}

/** The local files of an output: the output, its lines, and their checkpoints. */
const filesOf = (file: string) =>
  [file, `${file}.ndjson`].flatMap((one) => [one, batchPaths(one).checkpoint]);

/** Returns the local file of an object, with a name that any file system accepts. */
const localFile = (folder: string, { bucket, key }: BucketAddress) =>
  path.join(folder, bucket, ...key.split('/').map(encodeURIComponent));

function addressOf(folder: string, file: string): BucketAddress {
  const [bucket = '', ...parts] = path.relative(folder, file).split(path.sep).map(decodeURIComponent);
  return { bucket, key: parts.join('/') };
}

/**
 * Runs a batch with its options; for `-o s3://bucket/key` with a local file instead of the object, and its bucket. With
 * `leavesOutEmpty` a run without results leaves no object.
 */
export async function withBatchBucket(
  context: Context,
  options: Options,
  leavesOutEmpty: boolean,
  work: (options: Options) => Promise<void>,
): Promise<void> {
  const output = options.output as string | undefined;
  if (output === undefined || !isBucketAddress(output)) return work(options);
  const address = parseBucketAddress(output);
  const { signal } = context;
  const [{ openBucketClient, objectType }, { FileUpload }, { bucketFailure }, { requireWritable }] =
    await Promise.all([
      import('../../../files/bucket/open-bucket.js'),
      import('../../../files/bucket/file-upload.js'),
      import('./bucket-failure.js'),
      import('./require-writable.js'),
    ]);
  const config = await configOf(context);
  const client = openBucketClient(config);
  const folder = path.join(config.home, 'buckets');
  const bucket: BatchBucket = {
    shown: (file) => bucketText(addressOf(folder, file)),
    async begin(file, mayReplace) {
      const to = addressOf(folder, file);
      const sizes = await Promise.all(filesOf(file).map(fileSize));
      const isKnown = sizes.some((size) => size !== null);
      const taken = `${bucketText(to)} exists, and no batch of this data directory wrote it: --overwrite replaces it.`;
      await requireWritable(client, to, isKnown || mayReplace ? null : taken, signal);
      await mkdir(path.dirname(file), { recursive: true });
      const upload = new FileUpload({ client, address: to, type: objectType(to), file });
      return {
        grow: (bytes) => upload.grow(bytes, signal),
        async finish() {
          if (leavesOutEmpty && (await fileSize(file)) === 0) return;
          await upload.finish(signal).catch((cause: unknown) => {
            throw bucketFailure(to, cause);
          });
        },
      };
    },
    async forget(file) {
      for (const one of filesOf(file)) await rm(one, { force: true });
    },
  };
  try {
    await work({ ...options, output: localFile(folder, address), bucket });
  } finally {
    await client.close();
  }
}
