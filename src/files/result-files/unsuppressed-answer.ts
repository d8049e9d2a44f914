import type { Endpoint } from '../../../lib/endpoint.js';
import { isRecord } from '../../../lib/read/json.js';
import type { SuppressedSubjects } from '../../../lib/suppressions/suppressed-subjects.js';
import type { InputAnswer } from './result-file.js';

/**
 * An answer without the subjects that are suppressed; null if nothing of it remains: it asked for one of them, or is one.
 */
export function unsuppressedAnswer(
  answer: InputAnswer,
  endpoint: Endpoint,
  suppressed: SuppressedSubjects,
): InputAnswer | null {
  const { input, items, sources } = answer;
  if (isRecord(input) && suppressed.isAskedIn(endpoint, input)) return null;
  const remaining = items.flatMap((item, at) =>
    suppressed.names(endpoint, item, sources?.[at]) ? [] : [at],
  );
  if (remaining.length === items.length) return answer;
  if (!endpoint.many) return null;
  return {
    ...answer,
    items: remaining.map((at) => items[at]),
    ...(sources === undefined ? {} : { sources: remaining.flatMap((at) => sources[at] ?? []) }),
  };
}
