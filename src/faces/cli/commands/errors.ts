import type { Command } from 'commander';
import * as z from 'zod';
import { exitStatus, isRetryable } from '../../../../lib/errors/catalogue.js';
import {
  catalogue,
  defaultDocsBase,
  type ErrorCode,
  isErrorCode,
} from '../../../../lib/errors/extract-error.js';
import { causesOf, guideOf } from '../../../output/error-guide.js';
import { setCompletionWords } from '../completion/words.js';
import type { Context } from '../context.js';
import { chosenServer } from '../local-option.js';
import { addListOptions, outputOf } from '../output.js';
import { answerWriter } from '../reply.js';
import { unknownWord } from '../usage-error.js';

const page = z.strictObject({
  code: z.string(),
  type: z.string(),
  status: z.number(),
  exit_status: z.number(),
  summary: z.string(),
  causes: z.array(z.string()).readonly(),
  tell: z.string().nullable(),
  next: z.string(),
  retry: z.boolean(),
  example: z.string().nullable(),
  docs: z.string(),
});

function pageOf(code: ErrorCode, docsBase: string): z.output<typeof page> {
  const { type, status, summary, next } = catalogue[code];
  const docs = `${docsBase}/docs/errors/${code}`;
  const { tell = null, example = null } = guideOf(code) ?? {};
  const how = { causes: causesOf(code), tell, next, retry: isRetryable(code), example };
  return { code, type, status, exit_status: exitStatus[type], summary, ...how, docs };
}

/** Returns the address of the documentation: configured, or on the server in use. */
async function docsBaseOf(command: Command, context: Context): Promise<string> {
  const { docsUrl } = context.settings;
  if (docsUrl !== defaultDocsBase) return docsUrl;
  // Codes are explained even if the settings are invalid.
  const server = await chosenServer(context, command).catch(() => undefined);
  return server === undefined ? defaultDocsBase : new URL(server).origin;
}

/** `extract errors [CODE]`: lists the errors, or explains one. */
export function defineCommand(command: Command, context: Context): void {
  const codes = Object.keys(catalogue) as ErrorCode[];
  command.argument('[code]', 'the code');
  setCompletionWords(command, codes);
  addListOptions(command).action(async (code: string | undefined) => {
    const docsBase = await docsBaseOf(command, context);
    if (code === undefined) {
      // More columns would cut the summaries; `extract errors CODE` has the rest.
      const columns =
        outputOf(command.opts(), context).format === 'table'
          ? ['code', 'summary']
          : ['code', 'summary', 'status', 'exit_status', 'type', 'next'];
      await answerWriter(
        command,
        context,
        page,
        true,
        columns,
      )({ data: codes.map((one) => pageOf(one, docsBase)) });
      return;
    }
    if (!isErrorCode(code)) throw unknownWord('error code', code, codes, 'extract errors lists the codes.');
    const reply = answerWriter(command, context, page, false);
    const { format, fields } = outputOf(command.opts(), context);
    const { docs, ...meaning } = pageOf(code, docsBase);
    // The default address may not be served, so people see no dead link.
    const isCard = format === 'table' && fields === null;
    await reply({ data: isCard && docsBase === defaultDocsBase ? meaning : { ...meaning, docs } });
  });
}
