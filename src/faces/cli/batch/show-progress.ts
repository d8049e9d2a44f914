import type { Context } from '../context.js';
import type { RunOptions } from './batch-options.js';
import type { BatchProgress, ProgressDisplay } from './progress.js';

export type ShownProgress = Pick<RunOptions, 'progress' | 'quiet' | 'output' | 'color'>;

/** Returns how to show the progress; `lines` reports only waits. */
export function progressKind(
  { stdout, stderr, settings }: Pick<Context, 'stdout' | 'stderr' | 'settings'>,
  { progress, quiet, output }: ShownProgress,
): 'view' | 'jsonl' | 'lines' | 'none' {
  if (progress !== undefined) return progress;
  if (quiet) return 'none';
  // Lines printed to the same terminal would break the view.
  return stderr.isTTY && settings.movesCursor && (output !== null || !stdout.isTTY) ? 'view' : 'lines';
}

export async function showProgress(
  { stderr, settings }: Context,
  kind: ReturnType<typeof progressKind>,
  { color }: ShownProgress,
  moment: () => BatchProgress,
): Promise<ProgressDisplay> {
  const nothing = { async end() {} };
  if (kind === 'jsonl') return (await import('./progress-jsonl.js')).jsonlProgress(stderr, moment);
  if (kind === 'none' || kind === 'lines') return nothing;
  return (await import('./progress-view.js')).viewProgress(stderr, moment, settings.color && color);
}
