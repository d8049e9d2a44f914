import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

let found: string | undefined;

/** Folder of the package, from wherever this code stands in it: sources or built. Data beside the code is there. */
export function packageRoot(): string {
  if (found === undefined) {
    let folder = path.dirname(fileURLToPath(import.meta.url));
    while (!existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
    found = folder;
  }
  return found;
}
