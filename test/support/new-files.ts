import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** Returns a new file name in a folder at each call, and writes the file if there is content. */
export function newFiles(folder: string) {
  let count = 0;
  return (ending: string, content?: string | Uint8Array): string => {
    count += 1;
    const file = path.join(folder, `${count}.${ending}`);
    if (content !== undefined) writeFileSync(file, content);
    return file;
  };
}
