import type { Command } from 'commander';
import type * as z from 'zod';
import type { Context } from './context.js';
import { writeAnswer } from './deliver.js';
import type { CommandAnswer } from './formats/writer.js';
import { outputOf, selectionOf } from './output.js';

/**
 * How a command that is no call of an endpoint answers; `bare` for one whose JSON is the data itself. Asked for before it does anything, so that a slip in the
 * output options changes nothing.
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
