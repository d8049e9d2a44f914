import { ExtractError } from '../../../lib/errors/extract-error.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import type { ProxySettings } from '../../../lib/web/proxies.js';
import { readBucketConfig } from '../../config/bucket-config.js';
import { contentTypes, endingOf, kindOfName, type OutputKind } from '../result-files/file-kind.js';
import type { BucketAddress } from './bucket-address.js';
import { BucketClient } from './bucket-client.js';

/** Creates the client of the configured storage. Throws `missing_parameter` if there is none. */
export function openBucketClient(proxy: ProxySettings): BucketClient {
  const settings = readBucketConfig();
  if (settings !== null) return new BucketClient({ settings, proxy, clock: systemClock });
  throw new ExtractError(
    'missing_parameter',
    'An output in a bucket needs its storage: set EXTRACT_S3_ENDPOINT, EXTRACT_S3_KEY_ID and EXTRACT_S3_SECRET.',
  );
}

const types: Readonly<Record<OutputKind, string>> = {
  ...contentTypes,
  json: 'application/json; charset=utf-8',
  tsv: 'text/tab-separated-values; charset=utf-8',
};

/** Media types of files other than results: grids and feeds. */
const otherTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.geojson': 'application/geo+json',
  '.atom': 'application/atom+xml; charset=utf-8',
};

export const objectType = ({ key }: BucketAddress) =>
  otherTypes[endingOf(key)] ?? types[kindOfName(key) ?? 'ndjson'];
