import type { Traces } from '../../../../lib/suppressions/traces.js';
import { lineWithout } from '../../../files/result-files/line-without.js';

/** The line that takes the place of one that names a forgotten subject. */
const forgotten = {
  input: {},
  error: { type: 'not_found', code: 'subject_suppressed', message: 'Forgotten.', docs: '', request_id: '' },
};

/**
 * A line of results, with its line feed, without a subject. It is as long as before, with spaces at its end: where lines
 * begin, and how many bytes a job has, stays true, whatever is killed meanwhile.
 */
export function forgottenLine(line: Buffer, traces: Traces): Buffer {
  const text = line.toString();
  if (!traces.in(text)) return line;
  const rest = Buffer.from(lineWithout(text, traces) ?? JSON.stringify(forgotten));
  const kept = rest.length < line.length ? rest : Buffer.from('{}');
  return Buffer.concat([kept, Buffer.alloc(line.length - 1 - kept.length, ' '), Buffer.from('\n')]);
}
