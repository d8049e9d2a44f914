import { type Command, Option } from 'commander';
import type * as z from 'zod';
import { type CsvStyle, type ExcelSeparator, excelSeparators } from '../../output/csv-cells.js';
import { type Selection, select, unknownField } from '../../output/selection.js';
import type { Context } from './context.js';
import { outputKindOf } from './output-kind.js';
import { UsageError, unknownWord } from './usage-error.js';

const formats = ['json', 'ndjson', 'csv', 'table'] as const;
/** `lines` are rows separated by tabs, for `grep`, `cut` and `awk`. It is the default in a pipe, and has no name. */
type Format = (typeof formats)[number] | 'lines';

export interface OutputOptions {
  readonly format: Format;
  /** Selected fields, in order; null for all. */
  readonly fields: readonly string[] | null;
  readonly csv: CsvStyle;
  readonly sources: boolean;
  readonly color: boolean;
  /** Width of the output in columns. */
  readonly width: number;
  /** Whether to write notes (cost, progress) to stderr; only on a terminal. */
  readonly showNotes: boolean;
  readonly noteColor: boolean;
}

const defaultWidth = 80;

export function addCsvOptions(command: Command): Command {
  return command
    .option('--csv-raw', 'Do not escape formulas in CSV cells')
    .addOption(
      new Option(
        '--csv-excel <separator>',
        'CSV that Excel opens with a double click: use semicolon if decimals have a comma, otherwise comma',
      ).choices(excelSeparators),
    );
}

/** Parses the CSV options. Throws a usage error if the format has no cells. */
export function csvStyleOf({ csvRaw, csvExcel }: Options, format: string): CsvStyle {
  if (csvExcel !== undefined && format !== 'csv') {
    throw new UsageError(
      'conflicting_parameters',
      '--csv-excel only works with CSV: --format csv, or -o FILE.csv.',
    );
  }
  if (csvRaw === true && format !== 'csv' && format !== 'tsv') {
    throw new UsageError(
      'conflicting_parameters',
      '--csv-raw only works with CSV: --format csv, or -o FILE.csv.',
    );
  }
  return {
    ...(csvRaw === true ? { raw: true } : {}),
    ...(csvExcel === undefined ? {} : { excel: csvExcel as ExcelSeparator }),
  };
}

export const noSourcesOption = () =>
  new Option('--no-sources', 'Omit the columns with ID, URL, author, position and time of each item');

/** Formats in which an item may refer to its archive records. */
const namesRecords: ReadonlySet<string> = new Set(['json', 'ndjson']);

/**
 * Returns whether items include sources: if requested, in tables, and with an archive, unless excluded or fields are
 * selected.
 */
export function wantsSources(
  {
    sources,
    fields,
    archive,
  }: { readonly sources?: unknown; readonly fields?: unknown; readonly archive?: unknown },
  kind: string,
): boolean {
  if (sources !== undefined) return sources === true;
  if (archive !== undefined && namesRecords.has(kind)) return fields === undefined;
  return fields === undefined && ['csv', 'tsv', 'xlsx', 'sqlite', 'parquet'].includes(kind);
}

/** Adds the options of every command that returns data; `inPipe` is the format if stdout is not a terminal. */
function addAnswerOptions(command: Command, inPipe: 'json' | 'lines', csv: boolean): Command {
  command
    .optionsGroup('Output:')
    .option('--json', `One line of JSON with data and meta${inPipe === 'json' ? ', as in a pipe' : ''}`)
    .addOption(
      new Option('--format <format>', `Default: table at a terminal, ${inPipe} in a pipe`).choices(formats),
    )
    .setOptionValueWithSource('inPipe', inPipe, 'default');
  return (csv ? addCsvOptions(command) : command)
    .option('--fields <names>', 'Only these fields, separated by commas, in this order')
    .option('-q, --quiet', 'No notes and no progress')
    .option('--no-color', 'No colours');
}

/** Adds the options of a command that returns one object. */
export const addOutputOptions = (command: Command) => addAnswerOptions(command, 'json', false);

/** Adds the options of an endpoint's command. */
export const addCallOptions = (command: Command) => addAnswerOptions(command, 'json', true);

/** Adds the options of any other command that returns a list. */
export const addListOptions = (command: Command) => addAnswerOptions(command, 'lines', true);

export type Options = Readonly<Record<string, unknown>>;

/** Parses the output options. Throws a usage error if they contradict each other. */
export function outputOf(options: Options, { stdout, stderr, settings }: Context): OutputOptions {
  const formatName = options.format as Format | undefined;
  if (options.json === true && formatName !== undefined && formatName !== 'json') {
    throw new UsageError('conflicting_parameters', `Give either --json or --format ${formatName}, not both.`);
  }
  const { inPipe = 'json' } = options as { readonly inPipe?: Format };
  const format = options.json === true ? 'json' : (formatName ?? (stdout.isTTY ? 'table' : inPipe));
  const toFile = formatName === undefined && typeof options.output === 'string';
  const csv = csvStyleOf(options, toFile ? outputKindOf(options.output as string) : format);
  const fields =
    typeof options.fields === 'string' ? options.fields.split(',').map((name) => name.trim()) : null;
  const color = settings.color && options.color !== false;
  return {
    format,
    fields,
    csv,
    sources: false,
    color: stdout.isTTY && color,
    width: Math.max(20, stdout.columns ?? defaultWidth),
    showNotes: stderr.isTTY && options.quiet !== true,
    noteColor: stderr.isTTY && color,
  };
}

/** True if the output shows columns for people: in a table, or as lines in a pipe. */
export const isForPeople = ({ format }: OutputOptions) => format === 'table' || format === 'lines';

/** Returns the selected fields. Throws a usage error for an unknown field, before anything is fetched or charged. */
export function selectionOf(
  schema: z.ZodType,
  many: boolean,
  { fields }: Pick<OutputOptions, 'fields'>,
  preferred?: readonly string[],
): Selection {
  const unknown = unknownField(schema, fields ?? []);
  if (unknown === null) return select(schema, many, fields, preferred);
  throw unknownWord('field', unknown.name, unknown.fieldNames);
}

/** Returns the arguments before `--`. */
export function optionsOf(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end < 0 ? args : args.slice(0, end);
}

/**
 * Returns whether errors are written as JSON: if the user chose JSON, or if stderr is not a terminal. Reads the raw
 * arguments, because they may be what is wrong.
 */
export function errorsAsJson(args: readonly string[], stderrIsTTY: boolean): boolean {
  const options = optionsOf(args);
  const format = options
    .map((arg, index) => (arg === '--format' ? options[index + 1] : /^--format=(.*)$/.exec(arg)?.[1]))
    .findLast((value) => value !== undefined);
  if (options.includes('--json') || format === 'json' || format === 'ndjson') return true;
  return format === 'table' ? false : !stderrIsTTY;
}
