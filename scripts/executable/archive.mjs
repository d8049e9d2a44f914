// Packs the files of an installed package into one compressed archive, with an index.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';

const unread = /\/better-sqlite3\/(?:deps|src)\/|\.d\.ts$|\.map$|\/man\/|\/\.package-lock\.json$|\/\.bin\//;

/** True for a native binary of a system other than `target`, such as `linux-x64`. */
function isForeign(name, target) {
  const binary = /\/prebuilds\/([\w-]+)\.node$/.exec(name);
  return binary !== null && binary[1] !== target.replace(/^win-/, 'win32-');
}

/**
 * Packs the files of `folder` that the executable for `target` needs: `{ index, archive }`. The index is `{ digest,
 * files: [[path, bytes], …] }`, with the SHA-256 of the uncompressed bytes.
 */
export function archiveOf(folder, target) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((name) => !unread.test(`/${name}`) && !isForeign(name, target))
    .sort();
  const contents = names.map((name) => readFileSync(path.join(folder, name)));
  const bytes = Buffer.concat(contents);
  const files = names.map((name, index) => [name, contents[index].length]);
  const digest = createHash('sha256').update(bytes).digest('hex');
  const archive = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } });
  return { index: { digest, files }, archive };
}
