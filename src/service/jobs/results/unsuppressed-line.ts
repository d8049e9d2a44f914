import type { Endpoint } from '../../../../lib/endpoint.js';
import type { ItemSource } from '../../../../lib/read/item-source.js';
import type { SuppressedSubjects } from '../../../../lib/suppressions/suppressed-subjects.js';
import { paddedLine } from './forgotten-line.js';
import { suppressedLines } from './suppressed-line.js';

interface StoredLine {
  readonly input: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
  readonly sources?: readonly ItemSource[];
  readonly removed?: readonly string[];
  readonly meta?: { readonly request_id?: string };
}

/** The endpoint of the lines, the subjects to omit, and the base of the documentation. */
export interface LineSuppression {
  readonly endpoint: Endpoint;
  readonly suppressed: SuppressedSubjects;
  readonly docsBase: string;
}

/** Returns what may be shown of a line, longest first; null for all of it. */
function restOf(
  line: StoredLine,
  { endpoint, suppressed, docsBase }: LineSuppression,
): readonly object[] | null {
  const { input, data, sources, removed, meta } = line;
  // An error mentions a subject only in its input, which is the account's own text.
  if (data === undefined || data === null) return null;
  const items: readonly unknown[] = Array.isArray(data) ? data : [data];
  const remaining = items.flatMap((item, at) =>
    suppressed.names(endpoint, item, sources?.[at]) ? [] : [at],
  );
  const isObject = !Array.isArray(data) && remaining.length === 0;
  if (isObject || suppressed.isSubjectOf(endpoint, input))
    return suppressedLines(input, { docsBase, requestId: meta?.request_id ?? '' });
  const isSuppressed = (id: string) => suppressed.names(endpoint, {}, { id, url: null, author: null });
  if (remaining.length === items.length && removed?.some(isSuppressed) !== true) return null;
  const rest = {
    ...line,
    data: Array.isArray(data) ? remaining.map((at) => items[at]) : data,
    ...(sources === undefined ? {} : { sources: remaining.map((at) => sources[at]) }),
    ...(removed === undefined ? {} : { removed: removed.filter((id) => !isSuppressed(id)) }),
  };
  return [rest];
}

/** Returns a line with an empty list, for a line too short for an error. An object's line never is. */
function emptied({ sources, removed, data, ...line }: StoredLine): readonly object[] {
  if (!Array.isArray(data)) return [];
  const lists = { data, sources, removed };
  const entries = Object.entries(lists).filter(([, list]) => list !== undefined);
  return [{ ...line, ...Object.fromEntries(entries.map(([name]) => [name, []])) }];
}

/**
 * Removes suppressed subjects from a line of results, including its line feed. The length stays the same, padded with
 * spaces, so that positions stay valid for clients that have read a part.
 */
export function unsuppressedLine(line: Buffer, suppression: LineSuppression): Buffer {
  const value = JSON.parse(line.toString()) as StoredLine;
  const rest = restOf(value, suppression);
  return rest === null ? line : paddedLine([...rest, ...emptied(value)], line.length);
}
