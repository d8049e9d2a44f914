import type { ErrorCode } from '../errors/extract-error.js';
import type { ReadResult } from '../routes/reading.js';
import type { ListEnding } from '../routes/route.js';
import type { Attempt } from '../web/page-source.js';

/** The outcome of trying one route. */
interface RouteOutcome {
  readonly route: string;
  readonly outcome: 'answered' | ErrorCode;
}

/** How much of what was requested an answer holds, and how it was read. */
export interface Coverage {
  /** Items so far, over all pages of the list up to this one; 1 for an object. */
  readonly given: number;
  /** Items of the whole list, by the platform's own count; null if it gives none. */
  readonly total: number | null;
  /** Why the answer ends here. */
  readonly ended: ListEnding;
  /** Parameters that had no effect. */
  readonly ignored: readonly string[];
  /** Fields whose numbers are rounded here, although the endpoint can return them exactly. */
  readonly rounded: readonly string[];
  /** The routes that were tried, in order. */
  readonly routes: readonly RouteOutcome[];
}

/** The coverage of one page, regardless of earlier ones. */
export type PageCoverage = Omit<Coverage, 'given'>;

/** What a reader reports about how much it read. */
export type ReadExtent = Required<Pick<ReadResult<unknown>, 'total' | 'ended' | 'ignored' | 'rounded'>>;

/** Without duplicates, in order. A list completed from its items' pages uses one route many times. */
const unique = <T>(values: readonly T[]): T[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

export function coverageOf(extent: ReadExtent, isList: boolean, attempts: readonly Attempt[]): PageCoverage {
  const { total, ended, ignored, rounded } = extent;
  return {
    total: isList ? total : null,
    ended: isList ? ended : 'end',
    ignored,
    rounded,
    routes: unique(attempts.map(({ route, outcome }) => ({ route, outcome }))),
  };
}

/** Joins the coverage of several pages. Ends as the last page does. */
export function joinCoverage(pages: readonly Coverage[]): Coverage | undefined {
  const last = pages.at(-1);
  if (last === undefined || pages.length === 1) return last;
  return {
    given: last.given,
    total: pages.findLast(({ total }) => total !== null)?.total ?? null,
    ended: last.ended,
    ignored: unique(pages.flatMap(({ ignored }) => ignored)),
    rounded: unique(pages.flatMap(({ rounded }) => rounded)),
    routes: unique(pages.flatMap(({ routes }) => routes)),
  };
}

/**
 * Formats the end of an envelope or a line: sources and coverage. With `joins`, pages were followed, so coverage is
 * always included.
 */
export function locatedEnd({
  sources,
  coverage,
  joins = false,
}: {
  readonly sources?: string | undefined;
  readonly coverage?: Coverage | undefined;
  readonly joins?: boolean | undefined;
}): string {
  const sourcesJson = sources === undefined ? '' : `,"sources":${sources}`;
  const isShown = coverage !== undefined && (joins || sources !== undefined);
  return isShown ? `${sourcesJson},"coverage":${JSON.stringify(coverage)}` : sourcesJson;
}

/** Returns true for the last page of a list that ends on the platform itself, without omitted items. */
export const isListEnd = ({
  coverage,
  leavesOut,
}: {
  readonly coverage?: Coverage | undefined;
  readonly leavesOut?: boolean;
}) => coverage?.ended === 'end' && leavesOut !== true;
