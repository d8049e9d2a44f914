// SHA-256 of the files of a release, in the form that `sha256sum --check` reads.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The name of the list itself. */
export const checksumsFile = 'SHA256SUMS';

/** The digest of a file, as hexadecimal digits. */
export async function digestOf(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** By name: the digests of the files in `folder`, without those of folders below it and of the list. */
export async function digestsOf(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && entry.name !== checksumsFile && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await digestOf(path.join(folder, name))])),
  );
}

/** The text of the list. */
export const checksumLines = (digests) =>
  [...digests].map(([name, digest]) => `${digest}  ${name}\n`).join('');
