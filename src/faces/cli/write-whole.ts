import { open, rm } from 'node:fs/promises';
import { moveFile } from '../../../lib/runtime/move-file.js';
import { openFault, writeFault } from '../../files/batch-files/output-fault.js';

type Piece = string | Uint8Array;

function failedWrite(cause: unknown): never {
  throw writeFault(cause);
}

/** Writes a whole file, or leaves what was there. Throws what the pieces throw. */
export async function writeWhole(
  file: string,
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
): Promise<void> {
  const draft = `${file}.new`;
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
