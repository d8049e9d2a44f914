import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ExtractError, invalidParameter } from '../../../lib/errors/extract-error.js';
import { fileFault, writeFailure } from '../../../lib/errors/storage-error.js';
import { namesIn } from '../../../lib/runtime/names-in.js';
import { type Manifest, manifestName, readManifest, unpackInto } from './archive.js';
import { checkBooks, checkPages } from './store-files.js';

export interface RestoreReport {
  readonly version: string;
  readonly made_at: string;
  readonly files: number;
  readonly restored: boolean;
}

const damaged = (file: string, cause?: unknown) =>
  invalidParameter(`${file} is not a complete backup of extract.`, { cause });

/** Throws as a write would if the files of a backup do not fit on the disk of a folder. */
async function checkSpace(folder: string, { files }: Manifest): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const bytes = Object.values(files).reduce((sum, size) => sum + size, 0);
  if (bytes > bavail * bsize) throw Object.assign(new Error(`It needs ${bytes} bytes.`), { code: 'ENOSPC' });
}

const draftPrefix = '.extract-restore-';
/** The file system creates this folder at the root of a volume. */
const ofVolume = 'lost+found';

/**
 * True if a restore was killed while moving its files: the ledger is still in its draft, which has no manifest any
 * more. All files here came from it.
 */
async function isHalfMoved(home: string, names: readonly string[]): Promise<boolean> {
  if (names.includes('ledger.db')) return false;
  const drafts = names.filter((name) => name.startsWith(draftPrefix));
  const inside = await Promise.all(drafts.map((name) => namesIn(path.join(home, name))));
  return inside.some((name) => name.includes('ledger.db') && !name.includes(manifestName));
}

/** Rejects with `invalid_parameter` unless a folder is empty, missing, or half moved by a killed restore. */
async function requireEmpty(home: string): Promise<void> {
  const names = await namesIn(home);
  const otherFiles = names.filter((name) => name !== ofVolume && !name.startsWith(draftPrefix));
  if (otherFiles.length > 0 && !(await isHalfMoved(home, names))) {
    throw invalidParameter(
      `The data directory ${home} is not empty. Set EXTRACT_HOME to a new one, or move this one away.`,
    );
  }
}

async function unpack(file: string, folder: string, signal: AbortSignal | undefined): Promise<Manifest> {
  const readable = await stat(file).catch(() => null);
  if (readable === null) throw invalidParameter(`No such file: ${file}`);
  let manifest: Manifest | null;
  try {
    manifest = await readManifest(file);
    if (manifest === null) throw damaged(file);
    await checkSpace(folder, manifest);
    // A draft that contains this file has not been checked.
    await writeFile(path.join(folder, manifestName), '');
    await pipeline([createReadStream(file), ...unpackInto(folder, manifest)], { signal });
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof ExtractError || fileFault(cause) !== 'failed') throw cause;
    throw damaged(file, cause);
  }
  for (const [name, size] of Object.entries(manifest.files)) {
    const stats = await stat(path.join(folder, name)).catch(() => null);
    if (stats?.size !== size) throw damaged(file);
  }
  await checkBooks(path.join(folder, 'ledger.db'));
  for (const name of ['results.db', 'state.db']) {
    if (manifest.files[name] !== undefined) await checkPages(path.join(folder, name));
  }
  return manifest;
}

/** The ledger is moved last: without it the folder is not a data directory. */
async function moveInto(home: string, folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== 'ledger.db');
  for (const name of [...names, 'ledger.db']) {
    await rm(path.join(home, name), { recursive: true, force: true });
    await rename(path.join(folder, name), path.join(home, name));
  }
  // Including drafts of killed restores, one of which this restore may have completed.
  for (const name of await readdir(home)) {
    if (name.startsWith(draftPrefix)) await rm(path.join(home, name), { recursive: true, force: true });
  }
}

/**
 * Unpacks a backup, checks that it is complete and its ledger balances, and makes it the data directory. With `check`
 * it changes nothing. Rejects with `invalid_parameter` for a file that is not a backup or a directory that is not
 * empty, and with the reason of a signal that aborts before the first file is moved; then nothing is left behind.
 */
export async function restore(
  file: string,
  home: string,
  { check, signal }: { readonly check: boolean; readonly signal?: AbortSignal },
): Promise<RestoreReport> {
  if (!check) await requireEmpty(home);
  const parent = path.dirname(path.resolve(home));
  const isThere = (await stat(home).catch(() => null)) !== null;
  // In a container only the data directory is writable, and it is the root of a volume, which cannot be replaced.
  const base = isThere ? home : parent;
  await mkdir(base, { recursive: true });
  const folder = await mkdtemp(path.join(base, draftPrefix));
  try {
    const { version, made_at, files } = await unpack(file, folder, signal);
    signal?.throwIfAborted();
    if (!check) {
      await rm(path.join(folder, manifestName));
      if (isThere) await moveInto(home, folder);
      else await rename(folder, home);
    }
    return { version, made_at, files: Object.keys(files).length, restored: !check };
  } catch (cause) {
    if (cause instanceof ExtractError || signal?.reason === cause) throw cause;
    throw writeFailure(`The backup ${file} cannot be restored to ${home}`, cause);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
