import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { systemdPrefix } from '../../config/surroundings.js';
import { shellQuoted } from '../../output/shell-words.js';
import { UsageError } from './usage-error.js';

/** Where systemd stores the directories of dynamic users. */
const dynamicHomes = '/var/lib/private/';

/** Returns the owner of the ledger, or of the directory without one. */
function ownerOf(home: string): number | undefined {
  for (const file of [path.join(home, 'ledger.db'), home]) {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats !== undefined) return stats.uid;
  }
  return undefined;
}

/** Returns the command as the owner of the directory would type it. */
function asOwner(home: string, owner: number, args: readonly string[]): string {
  const words = args.map(shellQuoted).join(' ');
  if (realpathSync(home).startsWith(dynamicHomes)) return `${systemdPrefix} ${words}`;
  return `sudo -u '#${owner}' EXTRACT_HOME=${shellQuoted(home)} extract ${words}`;
}

/**
 * Rejects root on another user's directory: new files would belong to root, and the server could not write to them.
 * Throws a usage error with the command to run instead.
 */
export function refuseOtherOwner(home: string, args: readonly string[], uid = process.getuid?.()): void {
  if (uid !== 0) return;
  const owner = ownerOf(home);
  if (owner === undefined || owner === 0) return;
  throw new UsageError(
    'invalid_parameter',
    `${home} belongs to another user (${owner}), and you are root: its owner could not change files that root writes.`,
    `Run: ${asOwner(home, owner, args)}`,
  );
}
