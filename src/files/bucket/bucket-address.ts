import { invalidParameter } from '../../../lib/errors/extract-error.js';

export interface BucketAddress {
  readonly bucket: string;
  readonly key: string;
}

const scheme = 's3://';

/** True for a text meant as an object in a bucket, valid or not, rather than a file. */
export const isBucketAddress = (text: string) => text.slice(0, scheme.length).toLowerCase() === scheme;

export const bucketText = ({ bucket, key }: BucketAddress) => `${scheme}${bucket}/${key}`;

const bucketName = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/;
/** S3's limit. */
const maxKeyBytes = 1024;

/** Returns what is wrong with a key; null if it is valid. A segment of only dots would be resolved in transit. */
function keyFault(key: string): string | null {
  if (key === '' || key.endsWith('/')) return 'has no object name after the bucket';
  if (Buffer.byteLength(key) > maxKeyBytes) return `has a key of more than ${maxKeyBytes} bytes`;
  if (/\p{Cc}/u.test(key)) return 'has a control character';
  const isPath = key.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  return isPath ? null : 'has a part that is empty or only dots';
}

/** Parses `s3://bucket/key`. Throws `invalid_parameter`. */
export function parseBucketAddress(text: string): BucketAddress {
  const [bucket = '', ...parts] = text.slice(scheme.length).split('/');
  const key = parts.join('/');
  const fault = bucketName.test(bucket) ? keyFault(key) : 'does not begin with a valid bucket name';
  if (fault === null) return { bucket, key };
  throw invalidParameter(`${text} ${fault}. Use an object such as s3://results/creators/week.csv.`);
}
