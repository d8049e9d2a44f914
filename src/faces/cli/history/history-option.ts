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
export function historyFileOf({ history }: Options, { file, kind, append }: HistoryOutput): string | null {
  if (history === false) return null;
  if (history === undefined || history === true) return append && kind === 'sqlite' ? file : null;
  const named = String(history);
  if (kindOfName(named) !== 'sqlite') {
    throw new UsageError(
      'invalid_parameter',
      `--history ${named}: a history is an SQLite database, such as history.sqlite.`,
    );
  }
  if (file !== null && path.resolve(file) === path.resolve(named) && !append) {
    throw new UsageError(
      'conflicting_parameters',
      `-o replaces ${named}, which is to hold the history: add --append, or name another file.`,
    );
  }
  return named;
}
