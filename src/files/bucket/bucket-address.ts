import { ExtractError } from '../../../lib/errors/extract-error.js';

/** An object in a bucket. */
export interface BucketAddress {
  readonly bucket: string;
  readonly key: string;
}

const scheme = 's3://';

/** True for a text that names an object in a bucket, rightly or not, and no file. */
export const isBucketAddress = (text: string) => text.slice(0, scheme.length).toLowerCase() === scheme;

/** The address as it is typed. */
export const bucketText = ({ bucket, key }: BucketAddress) => `${scheme}${bucket}/${key}`;

const bucketName = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/;
/** Bytes of a key at most: those of S3. */
const maxKeyBytes = 1024;

/** The fault of a key; null for a good one. A part of dots alone would be resolved on the way. */
function keyFault(key: string): string | null {
  if (key === '' || key.endsWith('/')) return 'names no object behind its bucket';
  if (Buffer.byteLength(key) > maxKeyBytes) return `has a key of more than ${maxKeyBytes} bytes`;
  if (/\p{Cc}/u.test(key)) return 'has a control character';
  const isPath = key.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  return isPath ? null : 'has an empty part, or one of dots alone';
}

/** Reads `s3://bucket/key`. Throws `invalid_parameter`. */
export function parseBucketAddress(text: string): BucketAddress {
  const [bucket = '', ...parts] = text.slice(scheme.length).split('/');
  const key = parts.join('/');
  const fault = bucketName.test(bucket) ? keyFault(key) : 'does not begin with the name of a bucket';
  if (fault === null) return { bucket, key };
  throw new ExtractError(
    'invalid_parameter',
    `${text} ${fault}. Name an object, like s3://results/creators/week.csv.`,
  );
}
