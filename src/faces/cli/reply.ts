import type { Command } from 'commander';
import type * as z from 'zod';
import { newRequestId } from '../../../lib/runtime/request-id.js';
import type { Context } from './context.js';
import { writeAnswer } from './deliver.js';
import type { CommandAnswer } from './formats/writer.js';
import { outputOf, selectionOf } from './output.js';

/**
 * The writer of a command that calls no endpoint: `{data, meta}` as JSON, the fields of `columns` as a table. A command
 * makes it first, so that a wrong output option changes nothing.
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
  return ({ data, meta = { request_id: newRequestId() } }) => {
    async function* once() {
      yield { data, meta };
    }
    return writeAnswer(context, output, selection, once());
  };
}
