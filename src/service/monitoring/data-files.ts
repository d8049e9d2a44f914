import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** A file of the data directory, or a folder with all its contents. */
export interface DataFile {
  /** The name of a folder ends with a slash. */
  readonly name: string;
  readonly bytes: number;
  readonly files: number;
}

/** Ignores a file that was just removed, and system folders (`lost+found` of a volume). */
async function ifReadable<T>(work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (/^(ENOENT|EACCES)$/.test((cause as NodeJS.ErrnoException).code ?? '')) return otherwise;
    throw cause;
  }
}

async function sizeOf(folder: string): Promise<{ bytes: number; files: number }> {
  let [bytes, files] = [0, 0];
  for (const entry of await ifReadable(readdir(folder, { withFileTypes: true }), [])) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      const inner = await sizeOf(name);
      bytes += inner.bytes;
      files += inner.files;
    } else if (entry.isFile()) {
      bytes += (await ifReadable(stat(name), null))?.size ?? 0;
      files += 1;
    }
  }
  return { bytes, files };
}

/** Returns the sizes of everything in a data directory, largest first. Rejects if it cannot be read. */
export async function dataFiles(home: string): Promise<readonly DataFile[]> {
  const files: DataFile[] = [];
  for (const entry of await readdir(home, { withFileTypes: true })) {
    const name = path.join(home, entry.name);
    if (entry.isDirectory()) files.push({ name: `${entry.name}/`, ...(await sizeOf(name)) });
    else if (entry.isFile()) {
      const bytes = (await ifReadable(stat(name), null))?.size ?? 0;
      files.push({ name: entry.name, bytes, files: 1 });
    }
  }
  return files.sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
}
