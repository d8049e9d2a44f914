import { chmod, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** The files of a data directory: whatever else somebody put there is left as it is. */
const ours = /\.(?:db|db-wal|db-shm|db\.damaged|key)$/;

/**
 * Takes the files of a data directory from everybody but their owner. Earlier versions wrote the results of jobs as files
 * that all could read, and a copy may have brought them along so.
 */
export async function keepToOwner(home: string): Promise<void> {
  if (process.platform === 'win32') return;
  const names = async (folder: string) =>
    (await readdir(folder).catch(() => [])).map((name) => path.join(folder, name));
  const files = [
    ...(await names(home)).filter((file) => ours.test(file)),
    ...(await names(path.join(home, 'jobs'))),
  ];
  for (const file of files) {
    // One that is gone, or another user's, cannot be changed; the doctor tells of the folder.
    const mode = await stat(file).then(
      (found) => found.mode,
      () => 0,
    );
    if ((mode & 0o077) !== 0) await chmod(file, mode & 0o700).catch(() => undefined);
  }
}
