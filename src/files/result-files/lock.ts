import { invalidParameter } from '../../../lib/errors/extract-error.js';
import { lockFile } from '../../../lib/runtime/file-lock.js';

/**
 * Prevents a second process from writing the same output. Returns the function that unlocks it; the system does so if
 * the process is killed. Throws `invalid_parameter` while another process holds the lock.
 */
export async function lock(file: string, output: string): Promise<() => void> {
  const lock = await lockFile(file);
  if (lock !== null) return () => lock.remove();
  throw invalidParameter(
    `Another process is writing ${output}. Wait for it to finish, or stop it; then run the command again.`,
  );
}
