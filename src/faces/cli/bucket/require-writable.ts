import type { CallSignal } from '../../../../lib/runtime/abort.js';
import type { BucketAddress } from '../../../files/bucket/bucket-address.js';
import type { BucketClient } from '../../../files/bucket/bucket-client.js';
import { BucketFault } from '../../../files/bucket/bucket-fault.js';
import { UsageError } from '../usage-error.js';
import { bucketFailure } from './bucket-failure.js';

/**
 * Throws if an object cannot be written, before anything is requested and paid for, and with the message if it exists:
 * null if it may be replaced.
 */
export async function requireWritable(
  client: BucketClient,
  address: BucketAddress,
  taken: string | null,
  signal: CallSignal,
): Promise<void> {
  try {
    await client.requireWritable(address, signal);
    if (taken === null) return;
    if ((await client.find(address, signal)) === null) return;
  } catch (cause) {
    // The response to `find` only has a status, and the upload before it was allowed.
    const cannotLook = cause instanceof BucketFault && cause.status === 403 && cause.code === null;
    const text = 'the key may not look whether it is there; let it list the bucket, or use --overwrite';
    throw bucketFailure(address, cannotLook ? new BucketFault(text, 403, null, cause) : cause);
  }
  throw new UsageError('invalid_parameter', taken);
}
