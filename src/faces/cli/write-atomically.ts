import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { moveFile } from '../../../lib/runtime/move-file.js';
import { openFault, writeFault } from '../../files/batch-files/output-fault.js';
import { lock } from '../../files/result-files/lock.js';

type Piece = string | Uint8Array;

function failedWrite(cause: unknown): never {
  throw writeFault(cause);
}

async function writeDraft(
  draft: string,
  file: string,
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
): Promise<void> {
  await rm(draft, { force: true });
  const handle = await open(draft, 'w').catch((cause: unknown) => {
    throw openFault(file, cause);
  });
  try {
    for await (const piece of pieces) await handle.writeFile(piece).catch(failedWrite);
    await handle.sync().catch(failedWrite);
    await handle.close();
    await moveFile(draft, file).catch(failedWrite);
  } catch (cause) {
    await handle.close();
    await rm(draft, { force: true });
    throw cause;
  }
}

/**
 * Writes a complete file, or leaves the existing one. Throws what the chunks throw, and if another process is writing
 * it.
 */
export async function writeAtomically(
  file: string,
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
): Promise<void> {
  const draft = `${file}.new`;
  // Two processes that shared a draft would mix their content.
  const unlock = await lock(`${draft}.lock`, path.basename(file)).catch((cause: unknown) => {
    throw openFault(file, cause);
  });
  try {
    await writeDraft(draft, file, pieces);
  } finally {
    unlock();
  }
}
