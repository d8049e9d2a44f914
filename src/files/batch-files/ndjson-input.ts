import { isRecord } from '../../../lib/read/json.js';
import { jsonOf } from '../../output/json-text.js';
import { invalidInput, type ParsedInput, unreadableInput } from './input.js';
import type { Line } from './lines.js';
import { type ObjectTarget, objectInputs } from './object-input.js';

/** Parses one JSON object per line: parameters, an item, or a line of results. */
export async function* ndjsonInput(
  lines: AsyncIterable<Line>,
  target: ObjectTarget,
): AsyncGenerator<ParsedInput, void, undefined> {
  for await (const line of lines) {
    const failure = unreadableInput(line);
    const text = line.text.trim();
    const value = failure === null && text.startsWith('{') ? jsonOf(text) : undefined;
    if (failure !== null) yield failure;
    else if (!isRecord(value)) yield invalidInput(line, 'is not a JSON object of parameters');
    else yield* objectInputs({ ...line, text }, value, target);
  }
}
