import { createWriteStream, linkSync, readdirSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ExtractError, invalidParameter } from '../../../lib/errors/extract-error.js';
import { writeFailure } from '../../../lib/errors/storage-error.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { moveFile } from '../../../lib/runtime/move-file.js';
import { cursorSecret, pseudonymKeyName } from '../../../lib/runtime/secret.js';
import { version } from '../../../lib/runtime/version.js';
import { type PackedFile, packFiles } from './archive.js';
import {
  checkBooks,
  checkPages,
  copySnapshot,
  copyState,
  openSnapshot,
  snapshotFault,
} from './store-files.js';

export interface BackupReport {
  readonly bytes: number;
  readonly files: number;
  readonly made_at: string;
}

/** Folders next to the databases, and which of their files to include: no locks, and nothing of other programs. */
const folders = [
  // Line files of an earlier version, until a server moves them into `results.db`.
  { name: 'jobs', isKept: (name: string) => /\.(?:ndjson|late|index|sums|kept\.wacz\.warc\.gz)$/.test(name) },
  // The calls that `extract usage archive` moved out of the ledger exist nowhere else.
  { name: 'archive', isKept: (name: string) => /^[A-Za-z0-9_][A-Za-z0-9_.-]*\.ndjson\.gz$/.test(name) },
] as const;

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw cause;
  }
}

/** Creates a hard link. Returns false if the file has been removed since it was listed. */
function linked(file: string, link: string): boolean {
  try {
    linkSync(file, link);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw cause;
  }
}

/** Milliseconds after which a folder of links counts as left over from a killed backup. */
const abandonedMs = 24 * 3600 * 1000;
/** Users would not name their own backups like this, and may store them in the data directory. */
const linksPrefix = '.links-of-backup-';

async function removeAbandoned(home: string, now: number): Promise<void> {
  for (const name of (await readdir(home)).filter((one) => one.startsWith(linksPrefix))) {
    const folder = path.join(home, name);
    // Another backup may end now, and remove its own folder.
    const stats = await stat(folder).catch(() => null);
    if (stats === null || now - stats.mtimeMs < abandonedMs) continue;
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Writes a consistent snapshot of a data directory to one file, even while a server is running: the ledger with
 * accounts, keys, jobs and schedules, the results of jobs, usage archives, what commands remember, and the key that
 * signs cursors. Excludes the cache, the pace, stored emails and the login. Checks the ledger before the file gets its
 * name. Rejects with `invalid_parameter` for an existing file or a directory without a ledger, with storage errors, and
 * with the reason of an aborted signal; then nothing is left behind.
 */
export async function backup(
  home: string,
  file: string,
  clock: Clock,
  signal?: AbortSignal,
): Promise<BackupReport> {
  const ledger = path.join(home, 'ledger.db');
  const stats = await stat(ledger).catch(() => null);
  if (stats === null) {
    throw invalidParameter(`There is nothing to back up: ${home} has no ledger.`);
  }
  const partial = `${file}.partial`;
  const snapshot = `${file}.ledger`;
  const state = `${file}.state`;
  const lines = `${file}.results`;
  await removeAbandoned(home, clock.now());
  // Hard links preserve the current files while jobs append or remove.
  const links = await mkdtemp(path.join(home, linksPrefix));
  const results = await openSnapshot(path.join(home, 'results.db'));
  try {
    await cursorSecret(home);
    const sideFiles: PackedFile[] = [];
    await copySnapshot(
      ledger,
      snapshot,
      clock,
      () => {
        for (const { name: folder, isKept } of folders) {
          for (const name of filesIn(path.join(home, folder)).filter(isKept)) {
            const link = path.join(links, `${folder}-${name}`);
            if (linked(path.join(home, folder, name), link)) {
              sideFiles.push({ source: link, name: `${folder}/${name}` });
            }
          }
        }
        // Lines are written before the ledger counts them, and before their earlier files are removed, so none is missing
        // now.
        results.begin();
      },
      signal,
    );
    await checkBooks(snapshot);
    await results.copyTo(lines, signal);
    await checkPages(lines);
    sideFiles.unshift({ source: lines, name: 'results.db' });
    const remembered = path.join(home, 'state.db');
    if ((await stat(remembered).catch(() => null)) !== null) {
      await copyState(remembered, state, clock, signal);
      sideFiles.unshift({ source: state, name: 'state.db' });
    }
    const made_at = new Date(clock.now()).toISOString();
    // Without it, a person would get another pseudonym after a restore.
    const pseudonymKey = path.join(home, pseudonymKeyName);
    if ((await stat(pseudonymKey).catch(() => null)) !== null) {
      sideFiles.unshift({ source: pseudonymKey, name: pseudonymKeyName });
    }
    const { stream, manifest } = await packFiles(
      [
        { source: snapshot, name: 'ledger.db' },
        { source: path.join(home, 'cursor.key'), name: 'cursor.key' },
        ...sideFiles,
      ],
      { version, made_at },
    );
    await pipeline(stream, createWriteStream(partial, { mode: 0o600, flush: true }), { signal });
    await moveFile(partial, file);
    return { bytes: (await stat(file)).size, files: Object.keys(manifest.files).length, made_at };
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof ExtractError) throw cause;
    throw writeFailure(`The backup ${file} cannot be written`, cause, snapshotFault(cause));
  } finally {
    results.close();
    for (const leftover of [partial, snapshot, state, lines, links])
      await rm(leftover, { recursive: true, force: true });
  }
}
