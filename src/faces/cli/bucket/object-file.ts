import { mkdir, rm, truncate } from 'node:fs/promises';
import path from 'node:path';
import { ulid } from 'ulid';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { bucketText, isBucketAddress, parseBucketAddress } from '../../../files/bucket/bucket-address.js';
import { type Context, configOf } from '../context.js';
import type { Options } from '../output.js';
import { UsageError } from '../usage-error.js';

/** Milliseconds that a storage has to abort an upload after the user has interrupted the command. */
const discardMs = 2000;

/** The output of a command: a file, or the local file that becomes an object. `shown` is what the user named. */
export interface WrittenFile {
  readonly file: string;
  readonly shown: string;
}

/**
 * Runs a command that writes one complete file. For `s3://bucket/key` that is a file in the data directory, which is
 * uploaded once the command is done; a failed command leaves nothing behind.
 */
export async function withObjectFile(
  context: Context,
  output: string,
  { overwrite, append }: Options,
  work: (written: WrittenFile) => Promise<void>,
): Promise<void> {
  if (!isBucketAddress(output)) return work({ file: output, shown: output });
  const address = parseBucketAddress(output);
  if (append === true) {
    throw new UsageError(
      'conflicting_parameters',
      'Nothing can be added to an object: --append is for a file.',
    );
  }
  const { signal } = context;
  const [
    { openBucketClient, objectType },
    { FileUpload },
    { BucketFault },
    { discardLeftUploads, uploadsFolder },
    { bucketFailure },
    { requireWritable },
  ] = await Promise.all([
    import('../../../files/bucket/open-bucket.js'),
    import('../../../files/bucket/file-upload.js'),
    import('../../../files/bucket/bucket-fault.js'),
    import('../../../files/bucket/left-uploads.js'),
    import('./bucket-failure.js'),
    import('./require-writable.js'),
  ]);
  const config = await configOf(context);
  const client = openBucketClient(config);
  const folder = uploadsFolder(config.home);
  const file = path.join(folder, `${ulid()}-${path.basename(address.key)}`);
  const upload = new FileUpload({ client, address, type: objectType(address), file });
  let isLeft = false;
  try {
    const taken = overwrite === true ? null : `${bucketText(address)} exists: --overwrite replaces it.`;
    await requireWritable(client, address, taken, signal);
    await mkdir(folder, { recursive: true });
    await discardLeftUploads(client, folder, systemClock.now(), signal).catch((cause: unknown) => {
      // Left by another process, possibly for another object, so this one can be written anyway.
      if (!(cause instanceof BucketFault)) throw cause;
    });
    await work({ file, shown: output });
    await upload.finish(signal);
  } catch (cause) {
    const limit = signal.aborted ? AbortSignal.timeout(discardMs) : signal;
    isLeft = await upload.discard(limit).then(
      () => false,
      () => true,
    );
    // The first error is more informative.
    throw bucketFailure(address, cause);
  } finally {
    // Its name and the state next to it allow a later command's sweep to find the parts at the storage.
    if (isLeft) await truncate(file).catch(() => undefined);
    else await rm(file, { force: true });
    await client.close();
  }
}
