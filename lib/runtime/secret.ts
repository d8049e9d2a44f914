import { randomBytes } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
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
    'it holds no key. Put a backup in its place, or delete it: a new one is made, and cursors of before end.',
};

/** The port's error, naming the file and what to do about it. */
function keyFault(file: string, cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause;
  const fault = cause instanceof DamagedKey ? 'damaged' : fileFault(cause);
  const reason = reasons[fault] ?? `it cannot be used (${(cause as Error).message}).`;
  return new StorageError(fault, `The key that signs cursors, ${file}: ${reason}`, { cause });
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

/** Puts a new key in place whole, unless another process was first. */
async function make(file: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${randomBytes(bytes).toString('hex')}\n`, { mode: 0o600 });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
}

/**
 * The key that signs cursors, and names in digests what could be guessed. It is made once for a data directory, and its
 * owner alone can read it. Processes that start at the same time end up with the same key.
 */
export async function cursorSecret(home: string): Promise<Uint8Array> {
  const file = path.join(home, 'cursor.key');
  try {
    const known = await read(file);
    if (known !== null) return known;
    makeFolder(home);
    await make(file);
    return (await read(file)) as Uint8Array;
  } catch (cause) {
    throw keyFault(file, cause);
  }
}
