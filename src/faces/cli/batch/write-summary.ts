import { batchPaths } from '../../../files/batch-files/batch-paths.js';
import type { BatchOutcome } from '../../../files/batch-files/batch-run.js';
import { failedCount } from '../../../files/batch-files/totals.js';
import { browserAdvice } from '../browser-advice.js';
import type { Context } from '../context.js';
import { ExitStatusError } from '../exit-status-error.js';
import { printable } from '../printable.js';
import { wrapText } from '../terminal-text.js';
import type { RunOptions } from './batch-options.js';
import { retryText } from './failed-text.js';
import { type BatchProgress, summaryText } from './progress.js';

export interface OutputFiles {
  readonly output: string;
  /** The lines that the output is built from; null if the lines are the output. */
  readonly lines: string | null;
  /** Files besides these and the checkpoint. */
  readonly more?: readonly string[];
  /** Options and commands that read them. */
  readonly uses: readonly string[];
}

interface EndedBatch extends BatchOutcome {
  readonly notes: readonly string[];
  /** True if failed inputs can be retried. */
  readonly retries: boolean;
  readonly outputFiles?: OutputFiles | undefined;
}

const listText = new Intl.ListFormat('en');

/** Explains the files left behind; empty if there are none. */
function outputText({ output, lines, more = [], uses }: OutputFiles, finished: boolean): string {
  const file = printable(output);
  if (!finished)
    return lines === null
      ? ''
      : `The lines so far are in ${printable(lines)}; ${file} is written at the end.\n`;
  const files = [...(lines === null ? [] : [lines]), batchPaths(lines ?? output).checkpoint, ...more];
  const readers = [...uses, ...(lines === null ? [] : ['convert'])];
  return `${printable(listText.format(files))}: only for ${listText.format(readers)}; delete when done.\n`;
}

/** Writes the summary and how to continue. Throws the error or the exit status of the batch. */
export async function writeSummary(
  context: Context,
  { quiet, progress, chained }: Pick<RunOptions, 'quiet' | 'progress' | 'chained'>,
  { finished, error, totals, notes, retries, outputFiles }: EndedBatch,
  moment: BatchProgress,
  resumeHint: string | null,
): Promise<void> {
  const { stderr, signal } = context;
  const closedPipe = (error as NodeJS.ErrnoException | null)?.code === 'EPIPE';
  if (!closedPipe && !quiet && progress !== 'jsonl') {
    const total = finished ? undefined : moment.total;
    await stderr.write(`${await wrapText(summaryText({ ...moment, totals, total }), stderr)}\n`);
    if (finished && outputFiles !== undefined)
      await stderr.write(`Wrote ${printable(outputFiles.output)}.\n`);
    for (const sentence of notes) await stderr.write(`${await wrapText(sentence, stderr)}\n`);
    if (stderr.isTTY && resumeHint !== null && outputFiles !== undefined)
      await stderr.write(await wrapText(outputText(outputFiles, finished), stderr));
    if (!finished && resumeHint !== null) await stderr.write(`Continue with: ${resumeHint}\n`);
    else if (resumeHint !== null && retries && chained === undefined && failedCount(totals) > 0) {
      const advice = await browserAdvice(context, Object.keys(totals.failed));
      for (const text of [retryText(totals), advice])
        if (text !== '') await stderr.write(`${await wrapText(text, stderr)}\n`);
    }
  }
  if (error !== null) throw error;
  if (!finished && signal.aborted)
    throw new ExitStatusError((signal.reason as { exitStatus?: number }).exitStatus ?? 130);
  if (failedCount(totals) > 0) throw new ExitStatusError(7);
}
