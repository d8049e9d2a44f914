import { Option } from 'commander';
import type { Config } from '../../../../lib/config.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { type CommandExtractor, type Context, withExtractor } from '../context.js';
import { printable } from '../printable.js';

/** The option of every command that reads pages. */
export const archiveOption = () =>
  new Option(
    '--archive <file>',
    'Keep every exchange with the platform in this archive (.wacz), as evidence; skips the cache',
  );

interface ArchivedRun {
  readonly config: Partial<Config>;
  readonly archive: string | undefined;
  readonly quiet: boolean;
}

/** Runs work on an extractor whose exchanges go to an archive, where one is named, and ends both, whatever happens. */
export async function withArchive<T>(
  context: Context,
  { config, archive: file, quiet }: ArchivedRun,
  work: (extractor: CommandExtractor) => Promise<T>,
): Promise<T> {
  if (file === undefined) return withExtractor(context, config, work);
  const { ArchiveWriter } = await import('../../../files/archive/archive-writer.js');
  const archive = await ArchiveWriter.open(file, systemClock);
  let result: { readonly value: T } | { readonly error: unknown };
  try {
    result = { value: await withExtractor(context, config, work, archive) };
  } catch (error) {
    result = { error };
  }
  try {
    const summary = await archive.close();
    const text =
      summary === null
        ? `Nothing was asked of a platform: no archive ${printable(file)}.`
        : `Archive ${printable(file)}: ${summary.exchanges === 1 ? '1 exchange' : `${summary.exchanges} exchanges`}, ${summary.digest}`;
    if (!quiet) await context.stderr.write(`${text}\n`);
  } catch (error) {
    // The first error says more. The unfinished files stay beside the archive.
    if (!('error' in result)) throw error;
  }
  if ('error' in result) throw result.error;
  return result.value;
}
