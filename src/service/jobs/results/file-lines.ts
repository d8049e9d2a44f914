import { open, stat } from 'node:fs/promises';
import { checkedBytes } from './checked-lines.js';
import { chunkBytes, type LinesSource, type ResultsFiles } from './results-files.js';
import { readIndex } from './results-index.js';

/** The lines of finished jobs in files. Reading rejects `damaged` before it gives wrong bytes. */
export function fileLines(files: ResultsFiles): LinesSource {
  return {
    async *read(id) {
      const file = files.lines(id);
      const handle = await open(file, 'r');
      try {
        const bytes = (await handle.stat()).size;
        const { sums } = await readIndex(files.index(id), bytes);
        for await (const checked of checkedBytes({ handle, file, bytes, sums }, 0, bytes)) {
          for (let at = 0; at < checked.length; at += chunkBytes) yield checked.subarray(at, at + chunkBytes);
        }
      } finally {
        await handle.close();
      }
    },
    // The files that were made of them go when somebody is forgotten.
    edition: async () => '',
    isKept: (id) =>
      stat(files.lines(id)).then(
        () => true,
        () => false,
      ),
  };
}
