import { StorageError } from '../../../../lib/errors/storage-error.js';
import { type BucketAddress, bucketText } from '../../../files/bucket/bucket-address.js';
import { BucketFault } from '../../../files/bucket/bucket-fault.js';
import { UsageError } from '../usage-error.js';

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
export function bucketFailure(address: BucketAddress, cause: unknown): unknown {
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
