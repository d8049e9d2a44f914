import { open, rm } from 'node:fs/promises';
import { moveFile } from '../../../lib/runtime/move-file.js';
import { openFault, writeFault } from '../../files/batch-files/output-fault.js';

/** Writes a whole file, or leaves what was there. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.new`;
  await rm(draft, { force: true });
  const handle = await open(draft, 'w').catch((cause: unknown) => {
    throw openFault(file, cause);
  });
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (cause) {
    await rm(draft, { force: true });
    throw writeFault(cause);
  } finally {
    await handle.close();
  }
  await moveFile(draft, file);
}
