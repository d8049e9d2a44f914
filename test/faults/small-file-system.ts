import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Why no small file system can be had here; null where it can. */
export const withoutSmallFileSystem = (): string | null =>
  process.platform === 'linux' && process.getuid?.() === 0 ? null : 'only root on Linux mounts a file system';

/** A file system of some megabytes. */
export interface SmallFileSystem {
  /** Takes all of it that is left; what it returns gives it back. */
  fill(): () => void;
  /** Ends it, with all that is in it. */
  remove(): void;
}

/** Mounts it over a folder; whoever does so removes it. */
export function mountSmall(folder: string, megabytes: number, mode = '700'): SmallFileSystem {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=${mode}`, 'tmpfs', folder]);
  return {
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      const file = path.join(folder, 'ballast');
      try {
        writeFileSync(file, Buffer.alloc(bavail * bsize + bsize));
      } catch {
        // Full: as it was meant.
      }
      return () => rmSync(file, { force: true });
    },
    remove() {
      execFileSync('umount', ['-l', folder]);
    },
  };
}
