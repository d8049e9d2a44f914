import { CommanderError } from 'commander';
import { exitStatus } from '../../../lib/errors/catalogue.js';
import { defaultDocsBase, ExtractError, nextOf } from '../../../lib/errors/extract-error.js';
import { seenLine } from '../../../lib/errors/seen.js';
import { isShortageCause, ShortageError } from '../../../lib/errors/shortage.js';
import { fileFault, StorageError } from '../../../lib/errors/storage-error.js';
import { newRequestId } from '../../../lib/runtime/request-id.js';
import { browserAdvice } from './browser-advice.js';
import type { Context } from './context.js';
import { ExitStatusError, Interruption } from './exit-status-error.js';
import { errorsAsJson, optionsOf } from './output.js';
import { printable } from './printable.js';
import { colorText, wrapText } from './terminal-text.js';
import { type ReachedCommand, UsageError, usageError } from './usage-error.js';

export interface CommandLine extends ReachedCommand {
  readonly args: readonly string[];
}

/** Converts a system error about a file, which the user may be able to fix; null for any other fault. */
function systemFault(cause: unknown): ExtractError | null {
  const { code, path, syscall, message } = cause as NodeJS.ErrnoException;
  if (code === undefined || path === undefined || syscall === undefined) return null;
  const [, words = syscall] = /^\w+: ([^,]+),/.exec(message) ?? [];
  const text = `${path} cannot be used: ${words} (${code}).`;
  return new StorageError(fileFault(cause), text, { cause, next: '' });
}

function namedError(error: unknown, command: ReachedCommand, { endpoints }: Context): ExtractError {
  if (error instanceof CommanderError) return usageError(error, command, endpoints);
  if (error instanceof ExtractError) return error;
  if (isShortageCause(error)) return new ShortageError({ cause: error });
  const message = 'An unexpected error occurred.';
  return systemFault(error) ?? new ExtractError('internal_error', message, { cause: error });
}

/** Returns the advice to the user, unless the message already gives it; empty if there is none. */
async function advice(error: ExtractError, command: string, context: Context): Promise<string> {
  if (error instanceof UsageError) return error.hint;
  const next = nextOf(error);
  return [
    error.message.endsWith(next) ? next : '',
    // The settings themselves may be invalid.
    await browserAdvice(context, [error.code]).catch(() => ''),
    error.type === 'invalid_request' ? `${command} --help shows how to use it.` : '',
    error.retryAfter === undefined ? '' : `Try again in ${error.retryAfter} s.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

/** Returns the message without the advice, which has its own line. */
function problemOf(error: ExtractError): string {
  const next = error instanceof UsageError ? error.hint : nextOf(error);
  return next !== '' && error.message.endsWith(next)
    ? error.message.slice(0, -next.length).trimEnd()
    : error.message;
}

/** True if an address for the documentation is configured, or the server sent one. */
const hasPage = ({ docs }: ExtractError) => !docs.startsWith(`${defaultDocsBase}/`);

/** Formats an error for people, with a link to its page if there is one. */
function errorText(error: ExtractError, problem: string, hint: string, color: boolean): string {
  const page = hasPage(error) ? `\n${error.docs}` : '';
  // A typing mistake is not a request, and its message is self-explanatory.
  const reference =
    error instanceof UsageError || (error.type === 'invalid_request' && !hasPage(error))
      ? ''
      : colorText('dim', `extract errors ${error.code} · ${error.requestId}${page}`, color);
  const lines = [`${colorText(['bold', 'red'], error.code, color)}  ${printable(problem)}`, hint, reference];
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}

/** Writes the stack of an internal fault, and what a failed call received from the platform. */
async function writeDetails(
  error: ExtractError,
  args: readonly string[],
  { stderr }: Context,
): Promise<void> {
  if (error.type === 'internal') await stderr.write(`${printable(stackOf(error))}\n`);
  if (error.seen.length === 0) return;
  const asJson = errorsAsJson(args, stderr.isTTY);
  const text = asJson ? JSON.stringify({ seen: error.seen }) : `seen: ${printable(seenLine(error.seen))}`;
  await stderr.write(`${text}\n`);
}

/** Ends a text with a full stop, so that another sentence can follow. */
const sentence = (text: string) => (/[.?!)”]$/.test(text) ? text : `${text}.`);

/** Writes an error to stderr and returns its exit status. */
export async function reportError(
  error: unknown,
  { args, ...commandLine }: CommandLine,
  context: Context,
): Promise<number> {
  const { stderr, settings } = context;
  // The reader has closed the output, which is not an error.
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 0;
  if (error instanceof ExitStatusError) return error.exitStatus;
  if (error instanceof Interruption) {
    await stderr.write(`${printable(error.message)}\n`);
    return error.exitStatus;
  }
  const catalogued = namedError(error, commandLine, context);
  const final =
    catalogued.requestId === '' ? catalogued.within(newRequestId(), settings.docsUrl) : catalogued;
  if (errorsAsJson(args, stderr.isTTY)) {
    // The page that `docs` links to may not be served.
    const more =
      hasPage(final) || catalogued instanceof UsageError ? '' : ` extract errors ${final.code} explains it.`;
    const { docs, request_id, ...problem } = final.toJSON();
    const error = {
      ...{ ...problem, message: more === '' ? final.message : `${sentence(final.message)}${more}` },
      ...(hasPage(final) ? { docs } : {}),
      ...(catalogued instanceof UsageError ? {} : { request_id }),
    };
    await stderr.write(`${JSON.stringify({ error })}\n`);
  } else {
    const color = stderr.isTTY && settings.color && !args.includes('--no-color');
    await stderr.write(
      await wrapText(
        errorText(
          catalogued instanceof UsageError ? catalogued : final,
          problemOf(catalogued),
          await advice(catalogued, commandLine.command, context),
          color,
        ),
        stderr,
      ),
    );
  }
  if (settings.debug || optionsOf(args).includes('--debug')) await writeDetails(final, args, context);
  return exitStatus[final.type];
}

/** Writes warnings to stderr after the answer and any progress view; for programs, as lines of JSON. */
export async function writeWarnings(
  warnings: readonly Error[],
  args: readonly string[],
  { stderr, settings }: Context,
): Promise<void> {
  const color = stderr.isTTY && settings.color && !args.includes('--no-color');
  for (const { message } of warnings) {
    const text = errorsAsJson(args, stderr.isTTY)
      ? JSON.stringify({ warning: { message } })
      : colorText('dim', await wrapText(printable(message), stderr), color);
    // A closed stderr does not affect the answer.
    await stderr.write(`${text}\n`).catch(() => undefined);
  }
}
