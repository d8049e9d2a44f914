import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Selection } from '../../output/selection.js';
import type { Context } from './context.js';
import { Interruption } from './exit-status-error.js';
import { jsonWriter, ndjsonWriter } from './formats/json.js';
import { linesWriter } from './formats/lines.js';
import { tableWriter } from './formats/table.js';
import type { CommandAnswer, Writer, WriterOptions } from './formats/writer.js';
import type { OutputOptions } from './output.js';
import { colorText, wrapText } from './terminal-text.js';

/** Writes a note to stderr, on a terminal and without --quiet. */
export async function writeNote({ stderr }: Context, output: OutputOptions, text: string): Promise<void> {
  if (!output.showNotes) return;
  await stderr.write(`${colorText('dim', await wrapText(text, stderr), output.noteColor)}\n`);
}

/** How far a listing got before it failed. */
interface ListingProgress {
  readonly items: number;
  readonly cursor: string;
}

/** Adds the cursor to continue from. */
function withResumeHint(error: unknown, { items, cursor }: ListingProgress): unknown {
  const hint = `${items} items were returned before; continue with --cursor ${cursor}`;
  if (error instanceof Interruption) {
    error.message = `Interrupted. ${hint}`;
    return error;
  }
  return error instanceof ExtractError ? error.withMessage(`${error.message} ${hint}`) : error;
}

async function openWriter(target: WriterOptions): Promise<Writer> {
  switch (target.output.format) {
    case 'json':
      return jsonWriter(target);
    case 'lines':
      return target.selection.many ? linesWriter(target) : jsonWriter(target);
    case 'ndjson':
      return ndjsonWriter(target);
    case 'csv':
      return (await import('./formats/csv.js')).csvWriter(target);
    case 'table':
      return tableWriter(target);
  }
}

/**
 * Writes the pages of an answer as they arrive, to stdout or to `file`. If a page fails, the pages before it are
 * written, and the error has the cursor to continue from.
 */
export async function writeAnswer(
  context: Context,
  output: OutputOptions,
  selection: Selection,
  pages: AsyncIterable<CommandAnswer>,
  file?: Writer,
): Promise<void> {
  const { stdout } = context;
  const writer =
    file ??
    (await openWriter({
      output,
      selection,
      stdout,
      writeNote: (text) => writeNote(context, output, text),
    }));
  let progress: ListingProgress | undefined;
  let items = 0;
  try {
    for await (const page of pages) {
      await writer.add(page);
      items += Array.isArray(page.data) ? page.data.length : 1;
      const cursor = (page.meta as { next_cursor?: string | null } | undefined)?.next_cursor;
      progress = typeof cursor === 'string' ? { items, cursor } : undefined;
    }
  } catch (error) {
    if (progress === undefined || (error as NodeJS.ErrnoException).code === 'EPIPE') throw error;
    await writer.end(false);
    throw withResumeHint(error, progress);
  }
  await writer.end(true);
}
