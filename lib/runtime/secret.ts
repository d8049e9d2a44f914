import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { invalidParameter } from '../errors/extract-error.js';
import { type FileStorageFault, fileFault, StorageError } from '../errors/storage-error.js';
import { makeFolder } from './make-folder.js';

const bytes = 32;

/** The file exists but does not contain a key. */
class DamagedKey extends Error {}

const reasons: Readonly<Partial<Record<FileStorageFault, string>>> = {
  full: 'its disk is full. Free some space and try again.',
  unwritable:
    'it cannot be read or created. Check its permissions, or name another data directory with EXTRACT_HOME.',
  unreadable: 'its disk failed. Check the disk and try again.',
  exhausted: 'this machine ran out of file descriptors or memory. Try again in a moment.',
  damaged:
    'it contains no key. Restore it from a backup, or delete it: a new key is created, and what was made with the old one is no longer recognised.',
};

/** A key that is created once, readable only by its owner. */
interface SecretFile {
  readonly file: string;
  /** What it does, as in “signs cursors”. */
  readonly use: string;
}

/** Returns the port's error, which names the file and the remedy. */
function keyFault({ file, use }: SecretFile, cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause;
  const fault = cause instanceof DamagedKey ? 'damaged' : fileFault(cause);
  const reason = reasons[fault] ?? `it cannot be used (${(cause as Error).message}).`;
  return new StorageError(fault, `The key that ${use}, ${file}: ${reason}`, { cause });
}

async function readSecret(file: string): Promise<Uint8Array | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const secret = Buffer.from(text.trim(), 'hex');
  // Buffer.from stops at the first character that is not a hexadecimal digit.
  if (secret.length !== bytes) throw new DamagedKey(`${file} does not hold a key`);
  return secret;
}

/** Writes a complete new key, unless another process was first. */
async function make(file: string): Promise<void> {
  // Unique within this process and across containers.
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, `${randomBytes(bytes).toString('hex')}\n`, { mode: 0o600, flush: true });
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Returns the key of a file, creating it if necessary. Processes that start concurrently end up with the same key. */
async function secretOf({ file, use }: SecretFile): Promise<Uint8Array> {
  try {
    const existing = await readSecret(file);
    if (existing !== null) return existing;
    makeFolder(path.dirname(file));
    await make(file);
    return (await readSecret(file)) as Uint8Array;
  } catch (cause) {
    throw keyFault({ file, use }, cause);
  }
}

/** A data directory's key that signs cursors and keys digests of guessable values. */
export const cursorSecret = (home: string) =>
  secretOf({ file: path.join(home, 'cursor.key'), use: 'signs cursors' });

export const pseudonymKeyName = 'pseudonym.key';

export const pseudonymSecret = (home: string) =>
  secretOf({ file: path.join(home, pseudonymKeyName), use: 'makes pseudonyms' });

/**
 * Returns the key of a file that its users share. Never creates it, because a mistyped name would lead to other
 * pseudonyms.
 */
export async function sharedPseudonymSecret(file: string): Promise<Uint8Array> {
  const key = await readSecret(file).catch((cause: unknown) => {
    throw keyFault({ file, use: 'makes pseudonyms' }, cause);
  });
  if (key !== null) return key;
  throw invalidParameter(
    `The key file ${file} does not exist. Copy ${pseudonymKeyName} from a data directory, or create one: openssl rand -hex 32.`,
  );
}
