import { CommanderError } from 'commander';
import { exitStatus } from '../../lib/errors/exit-status.js';
import { catalogue, ExtractError } from '../../lib/errors/extract-error.js';
import { newRequestId } from '../../lib/runtime/request-id.js';
import type { Context } from './context.js';
import { ExitStatusError } from './exit-status-error.js';
import { Interruption } from './interruption.js';
import { errorsAsJson } from './output.js';
import { printable } from './printable.js';
import { styled } from './style.js';
import { UsageError, usageError } from './usage-error.js';
import { wrapText } from './wrapped.js';

/** What was asked for when something went wrong. */
export interface CommandLine {
  readonly args: readonly string[];
  /** The command that the arguments led to, such as `extract shortvideo profile`. */
  readonly command: string;
}

/** Whatever was thrown, as an error of the catalogue. */
function namedError(error: unknown, command: string): ExtractError {
  if (error instanceof CommanderError) return usageError(error, command);
  if (error instanceof ExtractError) return error;
  const message = 'Something failed that should not; the request id names it.';
  return new ExtractError('internal_error', message, { cause: error });
}

/** What the user can do next. */
function advice(error: ExtractError, command: string): string {
  if (error instanceof UsageError) return error.hint;
  const { next } = catalogue[error.code];
  if (error.type === 'invalid_request') return `${next} ${command} --help shows how it goes.`;
  return error.retryAfter === undefined ? next : `${next} Another try makes sense in ${error.retryAfter} s.`;
}

/** The stack of a fault and of what caused it. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

function errorText(told: ExtractError, hint: string, color: boolean): string {
  const lines = [
    `${styled(['bold', 'red'], told.code, color)}  ${printable(told.message)}`,
    hint,
    styled('dim', `extract errors ${told.code} · ${told.requestId}\n${told.docs}`, color),
  ];
  return `${lines.join('\n')}\n`;
}

/** Tells on stderr what went wrong, and the exit status that says it. */
export async function reportError(
  error: unknown,
  { args, command }: CommandLine,
  context: Context,
): Promise<number> {
  const { stderr, settings } = context;
  // Nobody reads on: no error, and nobody to tell it to.
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 0;
  if (error instanceof ExitStatusError) return error.exitStatus;
  if (error instanceof Interruption) {
    await stderr.write(`${printable(error.message)}\n`);
    return error.exitStatus;
  }
  const known = namedError(error, command);
  const told = known.requestId === '' ? known.within(newRequestId(), settings.docsUrl) : known;
  if (errorsAsJson(args, stderr.isTTY)) {
    await stderr.write(`${JSON.stringify({ error: told })}\n`);
  } else {
    const color = stderr.isTTY && settings.color && !args.includes('--no-color');
    await stderr.write(await wrapText(errorText(told, advice(known, command), color), stderr));
  }
  if (settings.debug && told.type === 'internal') await stderr.write(`${printable(stackOf(told))}\n`);
  return exitStatus[told.type];
}
