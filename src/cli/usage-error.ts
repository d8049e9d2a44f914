import { CommanderError } from 'commander';
import { type ErrorCode, ExtractError } from '../../lib/errors/extract-error.js';

/** A command line that cannot be followed: exit status 2, nothing was done. */
export class UsageError extends ExtractError {
  /** Where to look, in place of what the catalogue advises callers of the API. */
  readonly hint: string;

  constructor(code: ErrorCode, message: string, hint = 'extract --help lists the commands.') {
    super(code, message, { next: hint });
    this.hint = hint;
  }
}

const codes: Readonly<Record<string, ErrorCode>> = {
  'commander.unknownOption': 'unknown_parameter',
  'commander.missingArgument': 'missing_parameter',
  'commander.optionMissingArgument': 'missing_parameter',
  'commander.missingMandatoryOptionValue': 'missing_parameter',
  'commander.conflictingOption': 'conflicting_parameters',
};

/** What commander says of a command line, as an error of the catalogue. `command` is the one it was about. */
export function usageError({ code, message }: CommanderError, command: string): UsageError {
  const text = message.replace(/^error: /, '').replace(/\n\((.*)\)$/, '. $1');
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/[^.?!]$/, '$&.');
  const dashed =
    code === 'commander.unknownOption' ? ' An argument that begins with “-” goes after “--”.' : '';
  return new UsageError(
    codes[code] ?? 'invalid_parameter',
    sentence,
    `${command} --help shows how it goes.${dashed}`,
  );
}

/** True for the error by which commander ends after help or the version. */
export function isHelpShown(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}
