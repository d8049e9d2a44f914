import type { Command } from 'commander';
import type * as z from 'zod';
import type { Context } from './context.js';
import { writeAnswer } from './deliver.js';
import type { CommandAnswer } from './formats/writer.js';
import { outputOf, selectionOf } from './output.js';

/**
 * The writer of a command that calls no endpoint; `bare` writes the data without an envelope as JSON. A command makes it
 * first, so that a wrong output option changes nothing.
 */
export function answerWriter(
  command: Command,
  context: Context,
  schema: z.ZodType,
  many: boolean,
  { bare = false }: { readonly bare?: boolean } = {},
): (answer: CommandAnswer) => Promise<void> {
  const output = { ...outputOf(command.opts(), context), bare };
  const selection = selectionOf(schema, many, output);
  return (answer) => {
    async function* once() {
      yield answer;
    }
    return writeAnswer(context, output, selection, once());
  };
}
