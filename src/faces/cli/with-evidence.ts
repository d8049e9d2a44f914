import type { Config } from '../../../lib/config.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import type { RequestedStep } from '../../lines/step.js';
import { type CommandExtractor, type Context, withExtractor } from './context.js';
import { printable } from './printable.js';

interface ArchivedRun {
  readonly config: Partial<Config>;
  readonly requested: readonly RequestedStep[];
  readonly quiet: boolean;
}

/** Runs work with an extractor that stores its pages in the archive of a step, if any, and closes both. */
export async function withEvidence<T>(
  context: Context,
  { config, requested, quiet }: ArchivedRun,
  work: (extractor: CommandExtractor) => Promise<T>,
): Promise<T> {
  const keeper = requested.find(({ openEvidence }) => openEvidence !== undefined);
  const archive = await keeper?.openEvidence?.(systemClock);
  if (archive === undefined) return withExtractor(context, config, work);
  const [result] = await Promise.allSettled([withExtractor(context, config, work, archive.pages)]);
  try {
    const text = await archive.close();
    if (!quiet) await context.stderr.write(`${printable(text)}\n`);
  } catch (error) {
    // The first error is more informative. The unfinished files stay next to the archive.
    if (result.status === 'fulfilled') throw error;
  }
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
