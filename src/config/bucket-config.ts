import * as kind from '../../lib/config-kinds.js';
import { type Environment, type Kind, optional, readSettings, setting } from '../../lib/config-values.js';
import { invalidParameter } from '../../lib/errors/extract-error.js';

const endpoint: Kind<string> = {
  ...kind.address,
  parse(text, name) {
    const url = URL.canParse(text) ? new URL(text) : null;
    const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === '';
    if (isPlain && /^https?:$/.test(url.protocol)) return url.href;
    throw invalidParameter(
      `The setting ${name} must be an address like https://s3.eu-central-1.amazonaws.com.`,
    );
  },
};

/** The S3-compatible storage for results. */
export const bucketSettings = {
  endpoint: optional(
    'EXTRACT_S3_ENDPOINT',
    endpoint,
    'S3-compatible storage for `-o s3://bucket/key` and for the results of jobs, such as https://s3.eu-central-1.amazonaws.com.',
  ),
  region: setting('EXTRACT_S3_REGION', kind.text, 'us-east-1', 'Its region, for signatures.'),
  keyId: optional('EXTRACT_S3_KEY_ID', kind.text, 'Access key with write permission.'),
  secret: optional('EXTRACT_S3_SECRET', kind.secret, 'Secret of the access key.'),
  bucket: optional(
    'EXTRACT_S3_BUCKET',
    kind.text,
    'Server: the bucket that accounts may write results of jobs to. Without it they cannot use one.',
  ),
  prefix: setting(
    'EXTRACT_S3_PREFIX',
    kind.text,
    'jobs',
    'Server: prefix of the keys of those objects, before the account ID.',
  ),
} as const;

export interface BucketSettings {
  readonly endpoint: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
}

/** The bucket that a server's accounts may have results written to. */
export interface DeliveryBucket {
  readonly settings: BucketSettings;
  readonly bucket: string;
  readonly prefix: string;
}

/** Reads the storage settings; null if not configured. Throws `invalid_parameter` for incomplete settings. */
export function readBucketConfig(env: Environment = process.env): BucketSettings | null {
  const { endpoint: address, region, keyId, secret } = readSettings(bucketSettings, env);
  if (address === undefined && keyId === undefined && secret === undefined) return null;
  if (address === undefined || keyId === undefined || secret === undefined) {
    throw invalidParameter(
      'EXTRACT_S3_ENDPOINT, EXTRACT_S3_KEY_ID and EXTRACT_S3_SECRET must be set together.',
    );
  }
  return { endpoint: address, region, keyId, secret };
}

/** Reads the bucket that a server may write results to; null if there is none. Throws `invalid_parameter`. */
export function readDeliveryBucket(env: Environment = process.env): DeliveryBucket | null {
  const settings = readBucketConfig(env);
  const { bucket, prefix } = readSettings(bucketSettings, env);
  if (bucket === undefined) return null;
  if (settings === null) {
    throw invalidParameter(
      'EXTRACT_S3_BUCKET needs EXTRACT_S3_ENDPOINT, EXTRACT_S3_KEY_ID and EXTRACT_S3_SECRET.',
    );
  }
  return { settings, bucket, prefix: prefix.replace(/^\/+|(?<!\/)\/+$/g, '') };
}
