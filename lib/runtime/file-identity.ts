import { statSync } from 'node:fs';

/** Returns the identity of the file at a path; undefined if there is none. */
export function fileIdentity(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}
