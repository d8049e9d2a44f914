import { type Input, type InputFormat, withIndexes } from '../../../files/batch-files/input.js';
import { columnFault } from '../../../files/batch-files/object-input.js';
import {
  type InputDescription,
  type InputSource,
  readInputs,
} from '../../../files/batch-files/read-inputs.js';
import type { DecodedLine } from '../../../files/batch-files/text-encoding.js';
import { paramOfArgument } from '../../../output/plain-argument.js';
import { type Context, untilAborted } from '../context.js';
import { printable } from '../printable.js';
import { wrapText } from '../terminal-text.js';
import type { BatchCommandOptions } from './batch-options.js';

const maxExample = 60;

/** Shows a line that was not UTF-8 as it was read, because only the user knows whether that is right. */
export function decodedText({ number, text, encoding }: DecodedLine): string {
  const example = text.length > maxExample ? `${text.slice(0, maxExample)}…` : text;
  return `Line ${number} is not UTF-8 and was read as ${encoding}: “${example}”. If that is wrong, save the file as “CSV UTF-8”.`;
}

const formatNames: Readonly<Record<InputFormat, string>> = {
  ndjson: 'JSON lines',
  json: 'JSON',
  csv: 'CSV',
  tsv: 'TSV',
  xlsx: 'an Excel workbook',
  text: 'one value per line',
};

/** Adds the parameters of the whole run. Parameters of `--set` are part of each input, as in a table. */
function withDefaults(input: Input, { defaults, set }: BatchCommandOptions): Input {
  if (input.params === null) return input;
  const params = { ...defaults, ...input.params };
  const added = Object.entries(set).filter(([name]) => !Object.hasOwn(input.params as object, name));
  if (added.length === 0) return { ...input, params };
  return {
    ...input,
    params,
    echo: JSON.stringify({ ...JSON.parse(input.echo), ...Object.fromEntries(added) }),
  };
}

/** Describes the input format unless the file name gives it away, the recognised column, and the user's columns. */
function describe(
  { format, ownColumns, recognised }: InputDescription,
  first: Input | undefined,
  { inputFormat }: BatchCommandOptions,
  decoded: DecodedLine | undefined,
): string | null {
  const isPlain = format === 'ndjson' && first?.own === undefined;
  const sentences = [
    ...(inputFormat !== null || isPlain ? [] : [`The input is ${formatNames[format]}.`]),
    ...(recognised === undefined ? [] : [`The column ${recognised.column} is read as ${recognised.param}.`]),
    ...(ownColumns.length === 0 ? [] : [`Your columns are kept: ${ownColumns.join(', ')}.`]),
    ...(decoded === undefined ? [] : [decodedText(decoded)]),
  ];
  return sentences.length === 0 ? null : `${sentences.join(' ')}\n`;
}

/** The first input determines a table's columns; a later one with other columns is rejected. */
function sameOwn(input: Input, ownColumns: readonly string[]): Input {
  const other = Object.keys(input.own ?? {}).find((name) => !ownColumns.includes(name));
  if (other === undefined) return input;
  return { ...input, params: null, own: undefined, fault: columnFault(input, other) };
}

export function answersOf({ chained }: Pick<BatchCommandOptions, 'chained'>) {
  return chained === undefined || chained.isFirst ? undefined : { maxItems: chained.maxItems ?? Infinity };
}

/** Opens the inputs of a batch, and reads the first. */
export async function openBatchInputs(
  { stderr, signal }: Context,
  source: InputSource,
  options: BatchCommandOptions,
) {
  const { endpoint, inputFormat: format, map, quiet, progress, outputFormat } = options;
  let description: InputDescription | undefined;
  let leftOut = 0;
  let blank = 0;
  let decoded: DecodedLine | undefined;
  const { addressed } = options;
  const iterator =
    addressed !== undefined
      ? withIndexes(addressed.inputs)
      : readInputs(source.chunks, {
          ...{ format, endpoint, map },
          ofAnswers: answersOf(options),
          nameOf: (value) => paramOfArgument(endpoint, value) ?? 'query',
          onDescribed(inputDescription) {
            description = inputDescription;
          },
          onLeftOut() {
            leftOut += 1;
          },
          onBlank() {
            blank += 1;
          },
          onDecoded(line) {
            decoded = line;
          },
        });
  const reading = iterator.next();
  // Ctrl-C also ends a batch that waits for its first input.
  const first = await Promise.race([reading, untilAborted(signal)]);
  const input = first === undefined || first.done === true ? undefined : first.value;
  const columns = addressed?.ownColumns ?? description?.ownColumns ?? [];
  const ownColumns = columns.length > 0 ? columns : Object.keys(input?.own ?? {});
  if (description !== undefined && options.chained?.isFirst !== false && !quiet && progress !== 'jsonl') {
    const text = describe({ ...description, ownColumns }, input, options, decoded);
    if (text !== null) await stderr.write(await wrapText(printable(text), stderr));
  }
  const saidAlready = decoded;
  const isLines = outputFormat === 'ndjson' || outputFormat === 'json';
  async function* inputs(): AsyncGenerator<Input, void, undefined> {
    try {
      for (let next = await reading; next.done !== true; next = await iterator.next()) {
        yield withDefaults(isLines ? next.value : sameOwn(next.value, ownColumns), options);
      }
    } finally {
      await iterator.return();
    }
  }
  return {
    inputs: inputs(),
    /** The user's own columns that the output carries. */
    ownColumns,
    /** Returns how many earlier results are errors, and request nothing. */
    leftOut: () => leftOut,
    /** Returns how many rows have no value to request. */
    blank: () => blank,
    /** Returns a sentence if a line had to be decoded from an older encoding after the first input. */
    decoded: () =>
      decoded === undefined || decoded === saidAlready ? [] : [printable(decodedText(decoded))],
  };
}
