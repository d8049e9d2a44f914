import type { Command } from 'commander';
import * as z from 'zod';
import { exitStatus } from '../../../lib/errors/catalogue.js';
import { catalogue, type ErrorCode, isErrorCode } from '../../../lib/errors/extract-error.js';
import { suggestBefore } from '../../../lib/runtime/nearest-words.js';
import { setCompletionWords } from '../completion/words.js';
import type { Context } from '../context.js';
import { addOutputOptions } from '../output.js';
import { answerWriter } from '../reply.js';
import { UsageError } from '../usage-error.js';

const page = z.strictObject({
  code: z.string(),
  type: z.string(),
  status: z.number(),
  exit_status: z.number(),
  summary: z.string(),
  next: z.string(),
  docs: z.string(),
});

function pageOf(code: ErrorCode, { settings }: Context): z.output<typeof page> {
  const { type, status, summary, next } = catalogue[code];
  const docs = `${settings.docsUrl}/docs/errors/${code}`;
  return { code, type, status, exit_status: exitStatus[type], summary, next, docs };
}

/** `extract errors [CODE]`: the catalogue, or what one code means and what to do about it. */
export function fillErrors(command: Command, context: Context): void {
  const codes = Object.keys(catalogue) as ErrorCode[];
  command.argument('[code]', 'the code');
  setCompletionWords(command, codes);
  addOutputOptions(command).action(async (code: string | undefined) => {
    if (code === undefined) {
      await answerWriter(command, context, page, true, [
        'code',
        'summary',
        'status',
        'exit_status',
        'type',
        'next',
      ])({ data: codes.map((one) => pageOf(one, context)) });
      return;
    }
    if (!isErrorCode(code)) {
      const message = `There is no error code ${JSON.stringify(code)}.`;
      const hint = suggestBefore(code, codes, 'extract errors lists the codes.');
      throw new UsageError('invalid_parameter', message, hint);
    }
    await answerWriter(command, context, page, false)({ data: pageOf(code, context) });
  });
}
