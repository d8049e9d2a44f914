import type { Command } from 'commander';
import type * as z from 'zod';
import { newRequestId } from '../../../lib/runtime/request-id.js';
import type { Context } from './context.js';
import { writeAnswer, writeNote } from './deliver.js';
import { ExitStatusError } from './exit-status-error.js';
import type { CommandAnswer } from './formats/writer.js';
import { addListOptions, addOutputOptions, outputOf, selectionOf } from './output.js';

/**
 * Returns the writer of a command that calls no endpoint: `{data, meta}` as JSON, or the fields in `columns` as a
 * table. Create it first, so that an invalid output option changes nothing.
 */
export function answerWriter(
  command: Command,
  context: Context,
  schema: z.ZodType,
  many: boolean,
  columns?: readonly string[],
): (answer: CommandAnswer) => Promise<void> {
  const output = outputOf(command.opts(), context);
  const selection = selectionOf(schema, many, output, columns);
  return ({ data, meta = { request_id: newRequestId() }, empty }) => {
    async function* once() {
      yield { data, meta, empty };
    }
    return writeAnswer(context, output, selection, once());
  };
}

/** The answer of a command, and its exit status. */
type Reply = CommandAnswer & {
  /** A note for stderr, on a terminal. */
  readonly note?: string | undefined;
  /** 0 by default. */
  readonly exitStatus?: number;
};

type Work<Args extends readonly unknown[]> = (...args: Args) => Promise<Reply>;

function addAction<Args extends readonly unknown[]>(
  command: Command,
  context: Context,
  schema: z.ZodType,
  many: boolean,
  work: Work<Args>,
  columns?: readonly string[],
): void {
  command.action(async () => {
    const write = answerWriter(command, context, schema, many, columns);
    const { note, exitStatus = 0, ...reply } = await work(...(command.processedArgs as unknown as Args));
    await write(reply);
    if (note !== undefined) await writeNote(context, outputOf(command.opts(), context), note);
    if (exitStatus !== 0) throw new ExitStatusError(exitStatus);
  });
}

/** Makes a command answer with an object. Rejects an invalid output option before the work. */
export function answerObject<Args extends readonly unknown[]>(
  command: Command,
  context: Context,
  schema: z.ZodType,
  work: Work<Args>,
): void {
  addAction(addOutputOptions(command), context, schema, false, work);
}

/** Like `answerObject`, for a list; on a terminal, a table of the fields in `columns`. */
export function answerList<Args extends readonly unknown[]>(
  command: Command,
  context: Context,
  schema: z.ZodType,
  work: Work<Args>,
  columns?: readonly string[],
): void {
  addAction(addListOptions(command), context, schema, true, work, columns);
}
