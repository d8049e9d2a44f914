import { chmod, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

const dataFile = /^(?:address|(?:login|update)\.json|.+\.(?:db|db-wal|db-shm|db\.damaged|key))$/;

const folders = ['archive', 'jobs', 'mails', 'new', 'uploads', 'watch'];

/**
 * Makes the files of a data directory readable only by their owner. Earlier versions wrote the results of jobs readable
 * by everyone, and copies may have preserved that.
 */
export async function restrictToOwner(home: string): Promise<void> {
  if (process.platform === 'win32') return;
  const names = async (folder: string) =>
    (await readdir(folder).catch(() => [])).map((name) => path.join(folder, name));
  const files = [
    ...(await names(home)).filter((file) => dataFile.test(path.basename(file))),
    ...(await Promise.all(folders.map((folder) => names(path.join(home, folder))))).flat(),
  ];
  for (const file of files) {
    // A file that was removed or belongs to another user cannot be changed. The doctor reports the folder.
    const mode = await stat(file).then(
      (stats) => stats.mode,
      () => 0,
    );
    if ((mode & 0o077) !== 0) await chmod(file, mode & 0o700).catch(() => undefined);
  }
}
