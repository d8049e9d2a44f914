import { ExtractError } from '../../lib/errors/extract-error.js';
import type { Selection } from '../output/selection.js';
import type { Context } from './context.js';
import { openWriter } from './formats/open-writer.js';
import type { CommandAnswer } from './formats/writer.js';
import { Interruption } from './interruption.js';
import type { OutputOptions } from './output.js';
import { styled } from './style.js';
import { wrapText } from './wrapped.js';

/** Says something beside the data, where somebody looks at a terminal and has not asked for quiet. */
export async function writeNote({ stderr }: Context, output: OutputOptions, text: string): Promise<void> {
  if (!output.showNotes) return;
  await stderr.write(`${styled('dim', await wrapText(text, stderr), output.noteColor)}\n`);
}

/** How far a listing came before it broke off. */
interface ListingProgress {
  readonly items: number;
  readonly cursor: string;
}

/** The error that broke a listing off, with what the user needs to go on from there. */
function withResumeHint(error: unknown, { items, cursor }: ListingProgress): unknown {
  const way = `${items} items came before; go on with --cursor ${cursor}`;
  if (error instanceof Interruption) {
    error.message = `Interrupted. ${way}`;
    return error;
  }
  if (!(error instanceof ExtractError)) return error;
  const told = new ExtractError(error.code, `${error.message} ${way}`, {
    cause: error.cause,
    requestId: error.requestId,
    docsBase: error.docs.replace(/\/docs\/errors\/\w+$/, ''),
    ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
  });
  if (error.stack !== undefined) told.stack = error.stack;
  return told;
}

/**
 * Writes the pages of an answer as they come. When a later page fails, what came is written and the error tells
 * the cursor to go on from.
 */
export async function writeAnswer(
  context: Context,
  output: OutputOptions,
  selection: Selection,
  pages: AsyncIterable<CommandAnswer>,
): Promise<void> {
  const { stdout } = context;
  const writer = await openWriter({
    output,
    selection,
    stdout,
    writeNote: (text) => writeNote(context, output, text),
  });
  let progress: ListingProgress | undefined;
  let items = 0;
  try {
    for await (const page of pages) {
      await writer.page(page);
      items += Array.isArray(page.data) ? page.data.length : 1;
      const cursor = (page.meta as { next_cursor?: string | null } | undefined)?.next_cursor;
      progress = typeof cursor === 'string' ? { items, cursor } : undefined;
    }
  } catch (error) {
    if (progress === undefined || (error as NodeJS.ErrnoException).code === 'EPIPE') throw error;
    await writer.end();
    throw withResumeHint(error, progress);
  }
  await writer.end();
}
