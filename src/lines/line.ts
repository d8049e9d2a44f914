import type { Outcome } from '../../lib/batch/outcome.js';
import type { BatchItem } from '../../lib/batch/run-batch.js';
import type { OwnValues } from '../files/result-files/result-file.js';

export interface LineInput extends BatchItem {
  /** The `input` of the line in its output, as JSON text. */
  readonly echo: string;
  /** The parameters of the list that its answer is a part of, such as all places of an area. */
  readonly partOf?: Readonly<Record<string, unknown>> | undefined;
  /** The values of the user's own columns. */
  readonly own?: OwnValues | undefined;
}

/** An input with its answer, its error, or both if a later page of a list failed. */
export interface Line extends Pick<Outcome, 'json' | 'error'>, Partial<Omit<Outcome, 'json' | 'error'>> {
  readonly item: LineInput;
  /** Number of items that steps omitted; undefined before the first step that may omit any. */
  readonly leftOut?: number | undefined;
  /** Fields of an object that changed since an earlier run, as JSON text. */
  readonly changed?: string | undefined;
  readonly removed?: readonly string[] | undefined;
}

/** Returns the end of a line that names the items which are no longer in its list; empty if none is missing. */
export const removedEnd = (removed: readonly string[] | undefined): string =>
  removed === undefined || removed.length === 0 ? '' : `,"removed":${JSON.stringify(removed)}`;

/** True if the steps left nothing of the line. */
export const isSpent = ({ json, leftOut, removed = [] }: Line) =>
  leftOut !== undefined && (json === 'null' || (json === '[]' && removed.length === 0));

/** Returns the line as written; null if steps left nothing of it. Its error stays. */
export function remainder<L extends Line>(line: L): L | null {
  if (!isSpent(line)) return line;
  return line.error === null ? null : { ...line, json: null, sources: undefined, leftOut: undefined };
}

/** Returns the line with only the items for which `keeps` is true, and counts the rest. An omitted object is null. */
export function keepItems<
  Answer extends Pick<Line, 'leftOut' | 'sources'> & { readonly json: string | null },
>(line: Answer, keeps: readonly boolean[], many: boolean): Answer {
  const omitted = keeps.filter((one) => !one).length;
  const leftOut = (line.leftOut ?? 0) + omitted;
  if (omitted === 0) return { ...line, leftOut };
  if (!many) return { ...line, json: 'null', sources: undefined, changed: undefined, leftOut };
  const only = (text: string) =>
    JSON.stringify((JSON.parse(text) as readonly unknown[]).filter((_, index) => keeps[index] === true));
  const { json, sources } = line;
  return {
    ...line,
    json: json === null ? null : only(json),
    sources: sources === undefined ? undefined : only(sources),
    leftOut,
  };
}
