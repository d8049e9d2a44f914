import { rm, truncate } from 'node:fs/promises';
import path from 'node:path';
import { ulid } from 'ulid';
import { bucketText, isBucketAddress, parseBucketAddress } from '../../../files/bucket/bucket-address.js';
import type { Context } from '../context.js';
import type { Options } from '../output.js';
import { UsageError } from '../usage-error.js';
import type { Bucket } from './bucket.js';

/** Milliseconds to abort an upload after Ctrl-C. */
const discardMs = 2000;

/** The output of a command: a file, or a local file to be uploaded. `shown` is what the user typed. */
export interface WrittenFile {
  readonly file: string;
  readonly displayName: string;
}

/**
 * Runs a command that writes one complete file. For `s3://bucket/key` it writes a file in the data directory, which is
 * uploaded when the command is done. A failed command leaves nothing behind.
 */
export async function withObjectFile(
  context: Context,
  output: string,
  { overwrite, append }: Options,
  work: (target: WrittenFile) => Promise<void>,
): Promise<void> {
  if (!isBucketAddress(output)) return work({ file: output, displayName: output });
  if (append === true) {
    throw new UsageError(
      'conflicting_parameters',
      'Cannot append to an object in a bucket. --append works with files.',
    );
  }
  const { withBucket } = await import('./bucket.js');
  await withBucket(context, (bucket) =>
    writeObject(context, bucket, { output, overwrite: overwrite === true }, work),
  );
}

async function writeObject(
  { signal }: Context,
  { uploads, begin }: Bucket,
  { output, overwrite }: { readonly output: string; readonly overwrite: boolean },
  work: (target: WrittenFile) => Promise<void>,
): Promise<void> {
  const address = parseBucketAddress(output);
  const file = path.join(uploads, `${ulid()}-${path.basename(address.key)}`);
  const upload = await begin(
    file,
    address,
    overwrite ? null : `${bucketText(address)} exists: --overwrite replaces it.`,
  );
  let isLeft = false;
  try {
    await work({ file, displayName: output });
    await upload.finish();
  } catch (cause) {
    const limit = signal.aborted ? AbortSignal.timeout(discardMs) : signal;
    isLeft = await upload.discard(limit).then(
      () => false,
      () => true,
    );
    // The first error is more informative.
    throw cause;
  } finally {
    // The name, and the state next to it, let a later command's sweep find the parts in the storage.
    if (isLeft) await truncate(file).catch(() => undefined);
    else await rm(file, { force: true });
  }
}
