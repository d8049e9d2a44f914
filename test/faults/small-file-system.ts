import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Why no small file system can be mounted here; null if it can. */
export const withoutSmallFileSystem = (): string | null =>
  process.platform === 'linux' && process.getuid?.() === 0 ? null : 'only root on Linux mounts a file system';

/** A file system of some megabytes. */
export interface SmallFileSystem {
  /** Fills the remaining space; the returned function frees it. */
  fill(): () => void;
  /** Unmounts it with its content. */
  remove(): void;
}

/** Mounts it over a folder; the caller removes it. */
export function mountSmall(folder: string, megabytes: number, mode = '700'): SmallFileSystem {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=${mode}`, 'tmpfs', folder]);
  return {
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      const file = path.join(folder, 'ballast');
      try {
        writeFileSync(file, Buffer.alloc(bavail * bsize + bsize));
      } catch {
        // Full, as intended.
      }
      return () => rmSync(file, { force: true });
    },
    remove() {
      execFileSync('umount', ['-l', folder]);
    },
  };
}
