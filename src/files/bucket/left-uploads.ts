import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { CallSignal } from '../../../lib/runtime/abort.js';
import { dayMs } from '../../../lib/runtime/clock.js';
import { parseBucketAddress } from './bucket-address.js';
import type { BucketClient } from './bucket-client.js';
import { readUploadState, uploadStateFile } from './upload-state.js';

/** The folder of a data directory for files to be uploaded to a bucket. */
export const uploadsFolder = (home: string) => path.join(home, 'uploads');

/**
 * Aborts uploads that killed processes left at least a day ago: their parts at the storage, and their files. Rejects
 * with `BucketFault` or the signal's reason; the next call tries again.
 */
export async function discardLeftUploads(
  client: BucketClient,
  folder: string,
  now: number,
  signal?: CallSignal,
): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const suffix = uploadStateFile('');
  for (const name of names) {
    const file = path.join(folder, name);
    const about = await stat(file).catch(() => null);
    if (about === null || about.mtimeMs > now - dayMs || name.endsWith(suffix)) continue;
    const state = await readUploadState(file);
    if (state !== null) await client.abort(parseBucketAddress(state.to), state.upload, signal);
    await rm(uploadStateFile(file), { force: true });
    await rm(file, { force: true });
  }
}
