import { isRecord } from '../../../../lib/read/json.js';
import type { Traces } from '../../../../lib/suppressions/traces.js';
import { lineWithout } from '../../../files/result-files/line-without.js';
import { jsonOf } from '../../../output/json-text.js';
import { suppressedLines } from './suppressed-line.js';

/** Lines that replace one that mentions a forgotten subject. */
const forgotten = suppressedLines({}, { docsBase: '', requestId: '' });

/** Returns the first value that fits, as a line of `length` bytes, padded with spaces before its line feed. */
export function paddedLine(values: readonly unknown[], length: number): Buffer {
  const texts = [...values, {}].map((value) => Buffer.from(JSON.stringify(value)));
  const json = texts.find((text) => text.length < length) ?? Buffer.alloc(0);
  return Buffer.concat([json, Buffer.alloc(length - 1 - json.length, ' '), Buffer.from('\n')]);
}

/**
 * Returns a line without its input; nothing if it still mentions the subject. An empty list is shorter than an error.
 */
function withoutInput(line: unknown, traces: Traces): readonly unknown[] {
  const rest = isRecord(line) ? { ...line, input: {} } : null;
  return rest === null || traces.in(JSON.stringify(rest)) ? [] : [rest];
}

/**
 * Removes a subject from a line of results, including its line feed. The length stays the same, padded with spaces, so
 * that line offsets and the job's size stay correct even after a kill.
 */
export function forgottenLine(line: Buffer, traces: Traces): Buffer {
  const text = line.toString();
  if (!traces.in(text)) return line;
  const rest = lineWithout(text, traces);
  const values = rest === null ? [...forgotten, ...withoutInput(jsonOf(text), traces)] : [JSON.parse(rest)];
  return paddedLine(values, line.length);
}
