import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

let root: string | undefined;

/**
 * Returns the folder of the package, whether this code runs from sources or built. It contains the package's data
 * files.
 */
export function packageRoot(): string {
  if (root === undefined) {
    let folder = path.dirname(fileURLToPath(import.meta.url));
    while (!existsSync(path.join(folder, 'package.json'))) {
      const above = path.dirname(folder);
      if (above === folder)
        throw new Error('The folder of the package is not there: it was bundled without it.');
      folder = above;
    }
    root = folder;
  }
  return root;
}

/**
 * Returns the location of a worker program, such as `lib/call/reader-thread-program`: in the sources, or next to the
 * built code.
 */
export function threadProgram(name: string): URL {
  const isSource = import.meta.url.endsWith('.ts');
  return new URL(isSource ? `../../${name}.ts` : `../${name}.js`, import.meta.url);
}
