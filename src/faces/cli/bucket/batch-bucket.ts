import { rm } from 'node:fs/promises';
import path from 'node:path';
import { batchPaths, fileSize } from '../../../files/batch-files/batch-paths.js';
import {
  type BucketAddress,
  bucketText,
  isBucketAddress,
  parseBucketAddress,
} from '../../../files/bucket/bucket-address.js';
import type { Context } from '../context.js';
import type { Options } from '../output.js';
import type { ObjectUpload } from './bucket.js';

/**
 * The bucket that a batch writes to. The lines and their checkpoint are files in the data directory, named after the
 * object, so that `--resume`, `--retry-failed` and `--append` find them.
 */
export interface BatchBucket {
  /** Returns the `s3://` address of a local file's object. */
  addressOf(file: string): string;
  /**
   * Starts the upload of a local file, whose folder exists. Throws if the object cannot be written, or if this machine
   * did not write it and `mayReplace` is false.
   */
  begin(file: string, mayReplace: boolean): Promise<Pick<ObjectUpload, 'grow' | 'finish'>>;
  forget(file: string): Promise<void>;
}

const filesOf = (file: string) =>
  [file, `${file}.ndjson`].flatMap((one) => [one, batchPaths(one).checkpoint]);

/** Returns the local file of an object, with a name valid on any file system. */
const localFile = (folder: string, { bucket, key }: BucketAddress) =>
  path.join(folder, bucket, ...key.split('/').map(encodeURIComponent));

function addressOf(folder: string, file: string): BucketAddress {
  const [bucket = '', ...parts] = path.relative(folder, file).split(path.sep).map(decodeURIComponent);
  return { bucket, key: parts.join('/') };
}

/**
 * Runs a batch with its options. For `-o s3://bucket/key` they name a local file instead, and its bucket. With
 * `leavesOutEmpty`, a run without results creates no object.
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
  const { withBucket } = await import('./bucket.js');
  await withBucket(context, ({ home, begin }) => {
    const folder = path.join(home, 'buckets');
    const bucket: BatchBucket = {
      addressOf: (file) => bucketText(addressOf(folder, file)),
      async begin(file, mayReplace) {
        const to = addressOf(folder, file);
        const sizes = await Promise.all(filesOf(file).map(fileSize));
        const isKnown = sizes.some((size) => size !== null);
        const existsText = `${bucketText(to)} exists, and was not written by a batch in this data directory. Use --overwrite to replace it.`;
        const upload = await begin(file, to, isKnown || mayReplace ? null : existsText);
        return {
          ...upload,
          async finish() {
            if (!leavesOutEmpty || (await fileSize(file)) !== 0) await upload.finish();
          },
        };
      },
      async forget(file) {
        for (const one of filesOf(file)) await rm(one, { force: true });
      },
    };
    return work({ ...options, output: localFile(folder, address), bucket });
  });
}
