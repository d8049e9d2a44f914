import path from 'node:path';
import { type Command, Option } from 'commander';
import { kindOfName, type OutputKind } from '../../../files/result-files/file-kind.js';
import type { Options } from '../output.js';
import { UsageError } from '../usage-error.js';

/** Adds the options that keep what moved, over time. */
export function addHistoryOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--history <file>',
        'Keep what changes over time in this SQLite database; with --append, in the output itself',
      ),
    )
    .option('--no-history', 'With --append: keep no history in the database');
}

/** The output of a command, as far as its history depends on it. */
interface HistoryOutput {
  readonly file: string | null;
  readonly kind: OutputKind;
  readonly append: boolean;
}

/**
 * The file that a command keeps its history in: the one that is named, else the database that it adds to. Null for none.
 * Throws a usage error for a file that cannot be one.
 */
export function historyFileOf(
  { history, pseudonymise }: Options,
  { file, kind, append }: HistoryOutput,
): string | null {
  if (history === false) return null;
  if (history === undefined || history === true) {
    // A history keeps plain names, which the output is to be without.
    return append && kind === 'sqlite' && pseudonymise === undefined ? file : null;
  }
  const named = String(history);
  if (kindOfName(named) !== 'sqlite') {
    throw new UsageError(
      'invalid_parameter',
      `--history ${named}: a history is an SQLite database, such as history.sqlite.`,
    );
  }
  const isOutput = file !== null && path.resolve(file) === path.resolve(named);
  if (isOutput && pseudonymise !== undefined) {
    throw new UsageError(
      'conflicting_parameters',
      `A history keeps plain names: with --pseudonymise, keep it in another file than ${named}.`,
    );
  }
  if (isOutput && !append) {
    throw new UsageError(
      'conflicting_parameters',
      `-o replaces ${named}, which is to hold the history: add --append, or name another file.`,
    );
  }
  return named;
}
