import type { BatchOutcome } from '../../../files/batch-files/batch-run.js';
import { failedCount } from '../../../files/batch-files/totals.js';
import type { Context } from '../context.js';
import { ExitStatusError } from '../exit-status-error.js';
import { wrapText } from '../terminal-text.js';
import type { BatchCommandOptions } from './batch-options.js';
import { type BatchProgress, summaryText } from './progress.js';

/** How a batch ended, and what is to be said about fields that were filled less often than usual. */
interface EndedBatch extends BatchOutcome {
  readonly comparison?: readonly string[];
}

/** Writes the summary and how to continue, and throws the error or the exit status of the batch. */
export async function writeSummary(
  context: Context,
  { quiet, progress, chained }: Pick<BatchCommandOptions, 'quiet' | 'progress' | 'chained'>,
  { finished, error, totals, comparison = [] }: EndedBatch,
  moment: BatchProgress,
  goOn: string | null,
): Promise<void> {
  const { stderr, signal } = context;
  const closedPipe = (error as NodeJS.ErrnoException | null)?.code === 'EPIPE';
  if (!closedPipe && !quiet && progress !== 'jsonl') {
    const total = finished ? undefined : moment.total;
    await stderr.write(`${summaryText({ ...moment, totals, total })}\n`);
    for (const sentence of comparison) await stderr.write(`${await wrapText(sentence, stderr)}\n`);
    if (!finished && goOn !== null) await stderr.write(`Continue with: ${goOn}\n`);
    else if (finished && goOn !== null && chained === undefined && failedCount(totals) > 0) {
      await stderr.write('--retry-failed runs the failed inputs again.\n');
    }
  }
  if (error !== null) throw error;
  if (!finished && signal.aborted)
    throw new ExitStatusError((signal.reason as { exitStatus?: number }).exitStatus ?? 130);
  if (failedCount(totals) > 0) throw new ExitStatusError(7);
}
