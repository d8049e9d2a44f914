import type { Traces } from '../../../../lib/suppressions/traces.js';
import { lineWithout } from '../../../files/result-files/line-without.js';

/** The line that takes the place of one that names a forgotten subject. */
const forgotten = {
  input: {},
  error: { type: 'not_found', code: 'subject_suppressed', message: 'Forgotten.', docs: '', request_id: '' },
};

/** A text as a line of so many bytes, with spaces before its line feed. */
export function padded(text: string, length: number): Buffer {
  const rest = Buffer.from(text);
  const json = rest.length < length ? rest : Buffer.from('{}');
  return Buffer.concat([json, Buffer.alloc(length - 1 - json.length, ' '), Buffer.from('\n')]);
}

/**
 * A line of results, with its line feed, without a subject. It is as long as before, with spaces at its end: where lines
 * begin, and how many bytes a job has, stays true, whatever is killed meanwhile.
 */
export function forgottenLine(line: Buffer, traces: Traces): Buffer {
  const text = line.toString();
  if (!traces.in(text)) return line;
  return padded(lineWithout(text, traces) ?? JSON.stringify(forgotten), line.length);
}
