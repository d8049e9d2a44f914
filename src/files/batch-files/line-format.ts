import type { BatchResult } from '../../../lib/batch/run-batch.js';
import { type Coverage, joinCoverage, locatedEnd } from '../../../lib/call/coverage.js';
import { recordsEnd, unnamedRecords } from '../../../lib/call/envelope.js';
import type { ErrorObject, ExtractError } from '../../../lib/errors/extract-error.js';
import { type Line, removedEnd } from '../../lines/line.js';
import type { Input } from './input.js';

export interface InputResult extends BatchResult<Input>, Pick<Line, 'leftOut' | 'changed' | 'removed'> {}

export interface LineFormat {
  /** Precedes the first line; may be empty. */
  readonly head: string;
  /** Formats a result as complete lines: one, or with `flatten` one per item of its list. */
  lines(result: InputResult): string;
  /** Merges the line of a list with its rest from a later run. Omitted if items have separate rows. */
  join?(line: string, rest: string): string;
}

interface ListLine {
  readonly data?: readonly unknown[];
  readonly sources?: readonly unknown[];
  readonly records?: readonly unknown[];
  readonly coverage?: Coverage;
  readonly error?: unknown;
}

/** Merges two lines of one list, with the end of the second. */
function joinedLine(line: string, rest: string): string {
  const { error: _, ...before } = JSON.parse(line) as ListLine;
  const after = JSON.parse(rest) as ListLine;
  const lists = (['data', 'sources', 'records'] as const).flatMap((name) =>
    before[name] === undefined || after[name] === undefined
      ? []
      : [[name, [...before[name], ...after[name]]] as const],
  );
  const coverage = joinCoverage([before.coverage ?? [], after.coverage ?? []].flat());
  const joined = { ...before, ...after, ...Object.fromEntries(lists) };
  return `${JSON.stringify(coverage === undefined ? joined : { ...joined, coverage })}\n`;
}

/** Returns the lines of a result, and how many of their bytes stay if its list continues: not the rows of errors. */
export function resultLines(
  format: LineFormat,
  result: InputResult,
  earlier = '',
): { readonly text: string; readonly kept: number } {
  if (format.join !== undefined) {
    const line = format.lines(result);
    const text = earlier === '' ? line : format.join(earlier, line);
    return { text, kept: Buffer.byteLength(text) };
  }
  const rows = result.json === null ? '' : format.lines({ ...result, error: null });
  const failure = result.error === null ? '' : format.lines({ ...result, json: null });
  const items = `${earlier}${rows}`;
  return { text: `${items}${failure}`, kept: Buffer.byteLength(items) };
}

/** Returns the error of a line; the message of an invalid input names its line. */
export function lineError(error: ExtractError, { line }: Input): ErrorObject {
  const object = error.toJSON();
  const numbered = object.message.startsWith(`Line ${line} `);
  if (object.type !== 'invalid_request' || numbered) return object;
  return { ...object, message: `Line ${line}: ${object.message}` };
}

/**
 * Formats the contract's job lines: `{"input":…,"data":…}` or `{"input":…,"error":…}`, with the data as serialised.
 * `own`, the user's columns, precedes the data; `sources`, if requested, and `coverage` follow. A partial list has data
 * and error. `indexed` adds the index of the input, for lines that a table is built from. With `flatten` the coverage
 * is on the answer's last item. With an archive, each entry of `sources`, or the line if it has none, refers to its
 * records.
 */
export function ndjsonFormat(flatten: boolean, indexed = false): LineFormat {
  return {
    head: '',
    ...(flatten ? {} : { join: joinedLine }),
    lines({ item, json, sources, coverage, joins, error, changed, removed, records }) {
      const ownPart = item.own === undefined ? '' : `"own":${JSON.stringify(item.own)},`;
      const begin = `{"input":${item.echo},${indexed ? `"index":${item.index},` : ''}${ownPart}`;
      if (json === null)
        return `${begin}"error":${JSON.stringify(lineError(error as ExtractError, item))}${recordsEnd(error?.records)}}\n`;
      const reason = error === null ? '' : `,"error":${JSON.stringify(lineError(error, item))}`;
      const end = `${changed === undefined ? '' : `,"changed":${changed}`}${removedEnd(removed)}${reason}`;
      const itemRecords = unnamedRecords({ sources, records }) ?? [];
      const lineRecords = recordsEnd([...itemRecords, ...(error?.records ?? [])]);
      const location = locatedEnd({ sources, coverage, joins });
      if (!flatten) return `${begin}"data":${json}${location}${lineRecords}${end}}\n`;
      const items = JSON.parse(json) as readonly unknown[];
      const allSources = sources === undefined ? [] : (JSON.parse(sources) as readonly unknown[]);
      return items
        .map((one, index) => {
          const itemSource =
            allSources[index] === undefined ? undefined : JSON.stringify([allSources[index]]);
          const ended = index === items.length - 1 ? { coverage, joins } : {};
          return `${begin}"data":${JSON.stringify(one)}${locatedEnd({ sources: itemSource, ...ended })}}\n`;
        })
        .join('');
    },
  };
}
