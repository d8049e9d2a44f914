import { type Read, readAs, unreadable } from './input.js';
import type { Line } from './lines.js';

/** One identifying value a line; `nameOf` tells which parameter a value is. */
export async function* textInput(
  lines: AsyncIterable<Line>,
  nameOf: (value: string) => string,
): AsyncGenerator<Read, void, undefined> {
  for await (const line of lines) {
    const value = line.text.trim();
    const params = { [nameOf(value)]: value };
    yield unreadable(line) ?? readAs(line, params, JSON.stringify(params), true);
  }
}
