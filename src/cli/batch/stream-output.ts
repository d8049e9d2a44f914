import { open, stat } from 'node:fs/promises';
import { type BatchOutput, type OnSaved, streamOutput } from '../../batch-files/output.js';
import type { Context } from '../context.js';
import { printableJson } from '../printable.js';

/** A file that is no regular one, such as a pipe or a device, cannot be taken up again. */
export async function isStream(file: string): Promise<boolean> {
  return stat(file).then(
    (about) => !about.isFile() && !about.isDirectory(),
    () => false,
  );
}

/** The standard output, or what a path names that is no file. */
export async function streamTo(
  { stdout }: Context,
  output: string | null,
  onSaved?: OnSaved,
): Promise<BatchOutput> {
  if (output === null) {
    return streamOutput((text) => stdout.write(stdout.isTTY ? printableJson(text) : text), onSaved);
  }
  const handle = await open(output, 'w');
  return streamOutput(async (text) => {
    await handle.writeFile(text);
  }, onSaved);
}
