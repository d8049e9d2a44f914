import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ExtractError } from '../errors/extract-error.js';
import { type FileStorageFault, fileFault, StorageError } from '../errors/storage-error.js';
import { makeFolder } from './make-folder.js';

const bytes = 32;

/** The file is there and holds something else. */
class DamagedKey extends Error {}

const reasons: Readonly<Partial<Record<FileStorageFault, string>>> = {
  full: 'its disk is full. Free some space and call again.',
  unwritable:
    'it cannot be read or made. Check its permissions, or name another data directory with EXTRACT_HOME.',
  unreadable: 'its disk failed. Check the disk and call again.',
  exhausted: 'this machine ran out of file descriptors or memory. Call again in a moment.',
  damaged:
    'it holds no key. Put a backup in its place, or delete it: a new one is made, and what the old one made is no longer known.',
};

/** A key that is made once, and its owner alone can read. */
interface SecretFile {
  readonly file: string;
  /** Its use, as “signs cursors”. */
  readonly use: string;
}

/** The port's error, naming the file and what to do about it. */
function keyFault({ file, use }: SecretFile, cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause;
  const fault = cause instanceof DamagedKey ? 'damaged' : fileFault(cause);
  const reason = reasons[fault] ?? `it cannot be used (${(cause as Error).message}).`;
  return new StorageError(fault, `The key that ${use}, ${file}: ${reason}`, { cause });
}

async function read(file: string): Promise<Uint8Array | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const secret = Buffer.from(text.trim(), 'hex');
  // Buffer.from stops at the first character that is no hexadecimal digit.
  if (secret.length !== bytes) throw new DamagedKey(`${file} does not hold a key`);
  return secret;
}

/** Puts a new key in place whole, unless somebody else was first. */
async function make(file: string): Promise<void> {
  // Nobody else's, in this process or in the first one of another container.
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

/** The key of a file, which is made where there is none. Processes that start at the same time end up with the same key. */
async function secretOf({ file, use }: SecretFile): Promise<Uint8Array> {
  try {
    const known = await read(file);
    if (known !== null) return known;
    makeFolder(path.dirname(file));
    await make(file);
    return (await read(file)) as Uint8Array;
  } catch (cause) {
    throw keyFault({ file, use }, cause);
  }
}

/** The key of a data directory that signs cursors, and names in digests what could be guessed. */
export const cursorSecret = (home: string) =>
  secretOf({ file: path.join(home, 'cursor.key'), use: 'signs cursors' });

/** The name of the file in a data directory that keeps the key of pseudonyms. */
export const pseudonymKeyName = 'pseudonym.key';

/** The key of a data directory that makes pseudonyms. */
export const pseudonymSecret = (home: string) =>
  secretOf({ file: path.join(home, pseudonymKeyName), use: 'makes pseudonyms' });

/** The key of a file that its users share. A wrong name would make other pseudonyms: none is made there. */
export async function sharedPseudonymSecret(file: string): Promise<Uint8Array> {
  const key = await read(file).catch((cause: unknown) => {
    throw keyFault({ file, use: 'makes pseudonyms' }, cause);
  });
  if (key !== null) return key;
  throw new ExtractError(
    'invalid_parameter',
    `There is no key ${file}. Copy ${pseudonymKeyName} of a data directory, or make one: openssl rand -hex 32.`,
  );
}
