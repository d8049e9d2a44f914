import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { ExtractError } from '../errors/extract-error.js';
import { isShortageCause, ShortageError } from '../errors/shortage.js';
import { writeFailure } from '../errors/storage-error.js';
import { makeFolder } from '../runtime/make-folder.js';

const form = z.strictObject({ base_url: z.string(), api_key: z.string() });

/** The server that this data directory is logged in to, and its key. */
export interface Login {
  readonly baseUrl: string;
  readonly apiKey: string;
}

const fileOf = (home: string) => path.join(home, 'login.json');

/** Returns the login of a data directory, or null. Throws `internal_error` for an unreadable file. */
export function readLogin(home: string): Login | null {
  let text: string;
  try {
    text = readFileSync(fileOf(home), 'utf8');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return null;
    if (isShortageCause(cause)) throw new ShortageError({ cause });
    const { code } = cause as NodeJS.ErrnoException;
    throw new ExtractError(
      'internal_error',
      code === 'EACCES' || code === 'EPERM'
        ? `${fileOf(home)} may not be read (${code}). Check the permissions of the file and its folder, or name another data directory with EXTRACT_HOME.`
        : `${fileOf(home)} cannot be read (${code}). Remove it with “extract logout”.`,
      { cause },
    );
  }
  try {
    const { base_url: baseUrl, api_key: apiKey } = form.parse(JSON.parse(text));
    return { baseUrl, apiKey };
  } catch {
    // The cause would quote the file, which contains a key.
    throw new ExtractError(
      'internal_error',
      'login.json in the data directory is damaged. Remove it with “extract logout”.',
    );
  }
}

/** Writes a login that only its owner can read, atomically. */
export function writeLogin(home: string, { baseUrl, apiKey }: Login): void {
  const draft = `${fileOf(home)}.${process.pid}`;
  try {
    makeFolder(home);
    writeFileSync(draft, `${JSON.stringify({ base_url: baseUrl, api_key: apiKey })}\n`, { mode: 0o600 });
    renameSync(draft, fileOf(home));
  } catch (cause) {
    if (existsSync(draft)) rmSync(draft);
    throw writeFailure(`The login cannot be stored in ${home}`, cause);
  }
}

export function removeLogin(home: string): void {
  // Whatever it contains: “extract logout” is also the remedy for a damaged file.
  try {
    rmSync(fileOf(home), { force: true, recursive: true });
  } catch (cause) {
    throw writeFailure(`The login cannot be removed from ${home}`, cause);
  }
}
