import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import type { ProxySettings } from '../../../../lib/web/proxies.js';
import type { DeliveryBucket } from '../../../config/bucket-config.js';
import { type BucketAddress, parseBucketAddress } from '../../../files/bucket/bucket-address.js';
import { BucketClient } from '../../../files/bucket/bucket-client.js';
import { BucketFault } from '../../../files/bucket/bucket-fault.js';
import { FileUpload } from '../../../files/bucket/file-upload.js';
import { discardLeftUploads, uploadsFolder } from '../../../files/bucket/left-uploads.js';
import { forgetUploadState } from '../../../files/bucket/upload-state.js';
import { contentTypes, type FileKind, kindOfName } from '../../../files/result-files/file-kind.js';
import { writeJobFile } from '../results/job-file.js';
import type { LinesToReturn } from '../results/unsuppressed-results.js';
import { afterAttempt } from './delivery-rules.js';
import type { AttemptOutcome } from './sender.js';
import type { DueDelivery } from './webhooks.js';

export interface BucketDeliveryOptions {
  /** The operator's bucket; null if accounts have none. */
  readonly bucket: DeliveryBucket | null;
  readonly home: string;
  readonly proxy: ProxySettings;
  readonly clock: Clock;
  readonly lines: LinesToReturn;
  readonly endpoints: readonly Endpoint[];
}

const refused = (message: string) => new ExtractError('webhook_url_not_allowed', message);

/** Describes an error to an account without details of the server's settings. */
function faultText({ status }: BucketFault): string {
  return status === null ? 'The bucket cannot be reached.' : `The bucket responded with status ${status}.`;
}

/**
 * Writes results of jobs to the operator's bucket, instead of a webhook. A job's object always has the same key, so a
 * repeated attempt overwrites it and reuses the parts that a killed process had sent.
 */
export class BucketDelivery {
  readonly #options: BucketDeliveryOptions;
  readonly #stopping = new AbortController();
  #client: BucketClient | null = null;

  constructor(options: BucketDeliveryOptions) {
    this.#options = options;
  }

  /** Throws `webhook_url_not_allowed` for an address outside the operator's bucket. */
  check(url: string): void {
    const { bucket: target } = this.#options;
    if (target === null) throw refused('This server does not write results to buckets.');
    if (parseBucketAddress(url).bucket !== target.bucket) {
      throw refused(`This server only writes results to the bucket s3://${target.bucket}.`);
    }
  }

  /** Makes one attempt. Rejects with the signal's reason, and if the results cannot be read or converted. */
  async send({ job, account, url, tries }: DueDelivery, signal: AbortSignal): Promise<AttemptOutcome> {
    const { bucket: target, home, lines, endpoints } = this.#options;
    if (target === null || parseBucketAddress(url).bucket !== target.bucket) {
      return { status: null, error: 'This server no longer writes to that bucket.', again: false };
    }
    const address = objectOf(target, account, job.id, url);
    const kind = (kindOfName(address.key) ?? 'ndjson') as FileKind;
    const jobLines = await lines.open(job);
    const name = [job.id, jobLines.edition, kind].filter((part) => part !== '').join('.');
    const file = path.join(uploadsFolder(home), name);
    await mkdir(path.dirname(file), { recursive: true });
    if (!existsSync(file)) await writeJobFile(account, job, file, jobLines, endpoints);
    if (!(await lines.isKept(job.id))) {
      await rm(file, { force: true });
      return { status: null, error: 'The results have been deleted.', again: false };
    }
    const client = this.#open(target);
    const upload = new FileUpload({ client, address, type: contentTypes[kind], file });
    try {
      await upload.finish(signal);
      await rm(file, { force: true });
      return { status: 200, error: null, again: false };
    } catch (cause) {
      if (!(cause instanceof BucketFault)) throw cause;
      const outcome = { status: cause.status, error: faultText(cause), again: cause.again };
      if (afterAttempt(tries, outcome).pauseMs === null) {
        // If the storage refuses to discard them, the parts stay there.
        await upload.discard(signal).catch(() => forgetUploadState(file));
        await rm(file, { force: true });
      }
      return outcome;
    }
  }

  /** Discards the leftovers of deliveries that ended long ago. */
  async discardLeft(): Promise<void> {
    const { bucket: target, home, clock } = this.#options;
    if (target === null) return;
    const { signal } = this.#stopping;
    await discardLeftUploads(this.#open(target), uploadsFolder(home), clock.now(), signal).catch(
      (cause: unknown) => {
        if (!signal.aborted) throw cause;
      },
    );
  }

  async close(): Promise<void> {
    this.#stopping.abort(new DOMException('The server stops.', 'AbortError'));
    await this.#client?.close();
  }

  #open({ settings }: DeliveryBucket): BucketClient {
    const { proxy, clock } = this.#options;
    this.#client ??= new BucketClient({ settings, proxy, clock });
    return this.#client;
  }
}

/** Returns a job's object. Its key begins with the operator's prefix and the account, which keeps accounts apart. */
function objectOf(
  { bucket, prefix }: DeliveryBucket,
  account: string,
  job: string,
  url: string,
): BucketAddress {
  const key = parseBucketAddress(url).key.replaceAll('{job}', job);
  return { bucket, key: [prefix, account, key].filter((part) => part !== '').join('/') };
}
