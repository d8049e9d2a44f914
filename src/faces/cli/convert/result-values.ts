import { createReadStream } from 'node:fs';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { isRecord, nestsTooDeep } from '../../../../lib/read/json.js';
import type { CallSignal } from '../../../../lib/runtime/abort.js';
import { jsonValues } from '../../../files/batch-files/json-values.js';
import { type AnswerLine, answerOfLine } from '../../../files/result-files/answer-lines.js';
import { fieldsOf } from '../../../files/result-files/fields.js';
import type { InputAnswer } from '../../../files/result-files/result-file.js';
import type { TableShape } from '../../../files/result-files/tables/read-table.js';

/** The properties of results that determine the columns. */
export interface ResultShape extends TableShape {
  readonly onlyNew: boolean;
}

function fault(file: string, line: number, text: string): ExtractError {
  return new ExtractError('invalid_body', `${file}, line ${line}: ${text}.`, { next: '' });
}

function checkItem(item: unknown, fieldNames: ReadonlySet<string>, path: string): void {
  const other = isRecord(item) ? Object.keys(item).find((name) => !fieldNames.has(name)) : '';
  if (other === undefined) return;
  throw new Error(
    `${other === '' ? 'a value that is not an object' : JSON.stringify(other.slice(0, 80))} is not a field of ${path}`,
  );
}

/** Parses a value: a line of results, an answer, or an item. */
function answerOf(text: string, { many }: Endpoint, index: number): InputAnswer {
  if (nestsTooDeep(text)) throw new Error('it is nested deeper than any result');
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new Error('is no object');
  const isLine =
    Object.hasOwn(value, 'data') || (Object.hasOwn(value, 'input') && Object.hasOwn(value, 'error'));
  if (isLine) {
    const answer = answerOfLine(value as unknown as AnswerLine, many, index);
    // Items of a list command have no input, and form one answer.
    return Object.hasOwn(value, 'input') ? answer : { ...answer, input: undefined, index: 0, from: index };
  }
  return { input: undefined, index: 0, items: [value], from: index, error: null };
}

/**
 * Yields the results in a file, in order. Throws `invalid_body` with the line of anything else, and the signal's reason.
 */
export async function* resultsOf(
  file: string,
  endpoint: Endpoint,
  signal: CallSignal,
): AsyncGenerator<InputAnswer, void, undefined> {
  const fieldNames = new Set(fieldsOf(endpoint.returns).map(({ name }) => name));
  let index = 0;
  let hasInputs: boolean | undefined;
  for await (const { text, number } of jsonValues(createReadStream(file, { highWaterMark: 64 * 1024 }))) {
    signal.throwIfAborted();
    try {
      const answer = answerOf(text, endpoint, index);
      for (const item of answer.items) checkItem(item, fieldNames, endpoint.path);
      hasInputs ??= answer.input !== undefined;
      if (hasInputs !== (answer.input !== undefined))
        throw new Error('other results have an input, and this one does not');
      index += hasInputs ? 1 : answer.items.length;
      yield answer;
    } catch (cause) {
      throw fault(file, number, cause instanceof SyntaxError ? 'this is not JSON' : (cause as Error).message);
    }
  }
}

/** Reads all results to determine their shape. Throws like `resultsOf`. */
export async function shapeOfResults(
  file: string,
  endpoint: Endpoint,
  signal: CallSignal,
): Promise<ResultShape> {
  const shape = { inputs: false, sources: false, onlyNew: false };
  const columns = new Set<string>();
  for await (const { input, own = {}, sources, changed } of resultsOf(file, endpoint, signal)) {
    shape.inputs ||= input !== undefined;
    shape.sources ||= sources !== undefined;
    shape.onlyNew ||= changed !== undefined;
    for (const name of Object.keys(own)) columns.add(name);
  }
  return { ...shape, ownColumns: [...columns] };
}
