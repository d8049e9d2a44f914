import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileFault, StorageError } from '../errors/storage-error.js';

const bytes = 32;

async function read(file: string): Promise<Uint8Array | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const secret = Buffer.from(text.trim(), 'hex');
  if (secret.length !== bytes) throw new Error(`${file} does not hold a key`);
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
 * The key that signs cursors, and names in digests what could be guessed: made once for a data directory, readable by
 * its owner alone. Processes that start at the same time end up with the same key.
 */
export async function cursorSecret(home: string): Promise<Uint8Array> {
  const file = path.join(home, 'cursor.key');
  try {
    const known = await read(file);
    if (known !== null) return known;
    await mkdir(home, { recursive: true, mode: 0o700 });
    await make(file);
    return (await read(file)) as Uint8Array;
  } catch (cause) {
    throw new StorageError(
      fileFault(cause),
      'The key that signs cursors, in the data directory, cannot be used.',
      { cause },
    );
  }
}
