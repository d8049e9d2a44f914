import { constants } from 'node:fs';
import { access, readFile, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { fileFault } from '../../../lib/errors/storage-error.js';
import { quotedFor } from '../../output/shell-words.js';
import { type Finding, failed, ok, warning } from './finding.js';

const mib = 1024 * 1024;
/** Below the first, the ledger will soon refuse calls; below the second, it may already. */
const lowBytes = 200 * mib;
const noBytes = 10 * mib;

const codeOf = (cause: unknown) => (cause as NodeJS.ErrnoException).code ?? '';

/** True if other users may read or write. */
const isOpen = (mode: number) => process.platform !== 'win32' && (mode & 0o077) !== 0;

async function checkRights(home: string): Promise<Finding> {
  const check = 'data directory';
  try {
    const stats = await stat(home);
    if (!stats.isDirectory()) {
      return failed(
        check,
        `${home} is not a directory.`,
        'Move it away, or set EXTRACT_HOME to another one.',
      );
    }
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
    if (isOpen(stats.mode)) {
      return warning(
        check,
        `Other users can read ${home}, which contains keys and the ledger.`,
        `chmod 700 ${quotedFor(home)}`,
      );
    }
    return ok(check, home);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return checkParent(home);
    const what =
      fileFault(cause) === 'unwritable' ? 'is not readable and writable by this user' : 'cannot be used';
    return failed(
      check,
      `${home} ${what} (${codeOf(cause)}).`,
      'Correct its permissions, or set EXTRACT_HOME to another one.',
    );
  }
}

async function checkParent(home: string): Promise<Finding> {
  for (let folder = path.dirname(home); ; folder = path.dirname(folder)) {
    try {
      await access(folder, constants.W_OK | constants.X_OK);
      return ok('data directory', `${home}; the first call creates it`);
    } catch (cause) {
      if (codeOf(cause) === 'ENOENT' && folder !== path.dirname(folder)) continue;
      return failed(
        'data directory',
        `${home} does not exist and cannot be created in ${folder} (${codeOf(cause)}).`,
        'Create it for this user, or name another one with EXTRACT_HOME.',
      );
    }
  }
}

/** Checks the free space on a folder's disk; the folder may not exist yet. */
export async function checkSpace(
  home: string,
  measure: (folder: string) => Promise<{ readonly bavail: number; readonly bsize: number }> = statfs,
): Promise<Finding> {
  for (let folder = home; ; folder = path.dirname(folder)) {
    try {
      const { bavail, bsize } = await measure(folder);
      const free = bavail * bsize;
      const text = `${Math.floor(free / mib).toLocaleString('en-US')} MiB free`;
      if (free < noBytes) return failed('disk', `${text}: calls cannot be recorded.`, 'Free some space.');
      if (free < lowBytes)
        return warning('disk', `Only ${text}.`, 'Free some space before the disk is full.');
      return ok('disk', text);
    } catch (cause) {
      if (codeOf(cause) === 'ENOENT' && folder !== path.dirname(folder)) continue;
      return warning('disk', `The free space cannot be measured (${codeOf(cause)}).`, 'Check the disk.');
    }
  }
}

async function checkCursorKey(home: string): Promise<Finding> {
  const [check, file] = ['cursor key', path.join(home, 'cursor.key')];
  try {
    const text = await readFile(file, 'utf8');
    if (!/^[0-9a-f]{64}\s*$/i.test(text)) {
      const next = `Move ${file} away: a new one is created. Existing cursors expire, and operators have to sign in again.`;
      return failed(check, `${file} contains no key.`, next);
    }
    if (isOpen((await stat(file)).mode))
      return warning(check, `Other users can read ${file}.`, `chmod 600 ${quotedFor(file)}`);
    return ok(check, 'present, private');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(cause)))
      return ok(check, 'created by the first call that needs it');
    return failed(check, `${file} cannot be read (${codeOf(cause)}).`, 'Correct its rights.');
  }
}

/** Checks the data directory: permissions, space, the key that signs cursors. */
export async function checkHome(home: string): Promise<readonly Finding[]> {
  return Promise.all([checkRights(home), checkSpace(home), checkCursorKey(home)]);
}
