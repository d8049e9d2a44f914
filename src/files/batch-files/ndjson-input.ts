import ndjson from 'ndjson';
import { isRecord } from '../../../lib/read/json.js';
import { invalidInput, type ParsedInput, unreadableInput } from './input.js';
import type { Line } from './lines.js';
import { type ObjectTarget, objectInputs } from './object-input.js';

/**
 * The ndjson parser, a row at a time. By itself it reports neither a broken row's number nor a blank one. It takes a
 * row that is `null` for the end of the input. Undefined for a row that is not JSON.
 */
function rowParser(): (row: string) => unknown {
  const parser = ndjson.parse();
  let broken = false;
  parser.on('error', () => {
    broken = true;
  });
  return (row) => {
    broken = false;
    parser.write(`${row}\n`);
    const value: unknown = parser.read();
    return broken ? undefined : value;
  };
}

/** One JSON object a line: of parameters, an item, or a line of results. */
export async function* ndjsonInput(
  lines: AsyncIterable<Line>,
  target: ObjectTarget,
): AsyncGenerator<ParsedInput, void, undefined> {
  const parse = rowParser();
  for await (const line of lines) {
    const refused = unreadableInput(line);
    const text = line.text.trim();
    // No other row can be an object.
    const value = refused === null && text.startsWith('{') ? parse(text) : undefined;
    if (refused !== null) yield refused;
    else if (!isRecord(value)) yield invalidInput(line, 'is not a JSON object of parameters');
    else yield* objectInputs({ ...line, text }, value, target);
  }
}
