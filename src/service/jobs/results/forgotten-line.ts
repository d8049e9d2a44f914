import { isRecord } from '../../../../lib/read/json.js';
import type { Traces } from '../../../../lib/suppressions/traces.js';
import { lineWithout } from '../../../files/result-files/line-without.js';
import { jsonOf } from '../../../output/json-text.js';
import { suppressedLines } from './suppressed-line.js';

/** The lines that take the place of one that names a forgotten subject. */
const forgotten = suppressedLines({}, { docsBase: '', requestId: '' });

/** The first of some values that fits, as a line of so many bytes, with spaces before its line feed. */
export function padded(values: readonly unknown[], length: number): Buffer {
  const texts = [...values, {}].map((value) => Buffer.from(JSON.stringify(value)));
  const json = texts.find((text) => text.length < length) ?? Buffer.alloc(0);
  return Buffer.concat([json, Buffer.alloc(length - 1 - json.length, ' '), Buffer.from('\n')]);
}

/** A line without what was asked for; none where it names the subject all the same. An empty list is shorter than an error. */
function withoutInput(line: unknown, traces: Traces): readonly unknown[] {
  const rest = isRecord(line) ? { ...line, input: {} } : null;
  return rest === null || traces.in(JSON.stringify(rest)) ? [] : [rest];
}

/**
 * A line of results, with its line feed, without a subject. It is as long as before, with spaces at its end: where lines
 * begin, and how many bytes a job has, stays true, whatever is killed meanwhile.
 */
export function forgottenLine(line: Buffer, traces: Traces): Buffer {
  const text = line.toString();
  if (!traces.in(text)) return line;
  const rest = lineWithout(text, traces);
  const values = rest === null ? [...forgotten, ...withoutInput(jsonOf(text), traces)] : [JSON.parse(rest)];
  return padded(values, line.length);
}
