import { readFile, rm, writeFile } from 'node:fs/promises';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { hasEnded, ownerFrom, ownerText, thisProcess } from '../../lib/runtime/process-owner.js';

/**
 * Keeps a second process from writing the same output at the same time. Returns the function that unlocks it; the lock
 * of a killed process does not count. Throws `invalid_parameter` while another process holds the lock.
 */
export async function lock(file: string): Promise<() => Promise<void>> {
  const self = thisProcess();
  for (let tries = 0; ; tries += 1) {
    try {
      await writeFile(file, ownerText(self), { flag: 'wx' });
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = ownerFrom(await readFile(file, 'utf8').catch(() => ''));
    if (owner === null ? tries > 0 : !hasEnded(owner, self)) {
      const who = owner === null ? 'Another process' : `The process ${owner.pid} on ${owner.host}`;
      throw new ExtractError(
        'invalid_parameter',
        `${who} is writing this batch. If that is not so, remove ${file}.`,
      );
    }
    if (owner !== null) await rm(file, { force: true });
  }
}
