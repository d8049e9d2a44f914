import { derivedLines } from '../../../files/evidence/derived-lines.js';
import { EvidenceReader } from '../../../files/evidence/evidence-reader.js';
import type { WrittenFile } from '../bucket/object-file.js';
import type { Context } from '../context.js';
import { printable } from '../printable.js';
import { checkReplaceable } from '../replaceable-file.js';
import { suppressedHere } from '../suppressed-here.js';
import { writeAtomically } from '../write-atomically.js';

export interface FromArchiveOptions {
  /** Null for stdout. */
  readonly output: WrittenFile | null;
  readonly overwrite: boolean;
  readonly quiet: boolean;
}

/** Reads the results of an archive again, as lines of a batch. */
export async function runFromArchive(
  context: Context,
  file: string,
  { output, overwrite, quiet }: FromArchiveOptions,
): Promise<void> {
  const { stdout, stderr, signal, endpoints } = context;
  if (output !== null) await checkReplaceable(output.file, overwrite);
  const suppressed = await suppressedHere(context);
  const archive = await EvidenceReader.open(file);
  let count = 0;
  async function* counted() {
    for await (const line of derivedLines(archive, endpoints, suppressed)) {
      signal.throwIfAborted();
      count += 1;
      yield line;
    }
  }
  try {
    if (output !== null) await writeAtomically(output.file, counted());
    else for await (const line of counted()) await stdout.write(line);
  } finally {
    await archive.close();
  }
  const lines = count === 1 ? '1 line' : `${count} lines`;
  if (!quiet && output !== null)
    await stderr.write(`${printable(output.displayName)}: ${lines} from ${printable(file)}.\n`);
}
