// SHA-256 of the files of a release, in the format of `sha256sum --check`.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

export const checksumsFile = 'SHA256SUMS';

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Returns, by name, the digests of the files in `folder`, except subfolders and the list itself. */
export async function digestsOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && entry.name !== checksumsFile && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
  const digests = new Map<string, string>();
  for (const name of names) digests.set(name, await digestOf(path.join(folder, name)));
  return digests;
}

export const checksumLines = (digests: ReadonlyMap<string, string>): string =>
  [...digests].map(([name, digest]) => `${digest}  ${name}\n`).join('');
