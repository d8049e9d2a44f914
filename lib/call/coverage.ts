import type { ErrorCode } from '../errors/extract-error.js';
import type { ReadResult } from '../routes/reading.js';
import type { Ended } from '../routes/route.js';
import type { Attempt } from '../web/page-source.js';

/** What came of asking one route. */
interface RouteOutcome {
  readonly route: string;
  readonly outcome: 'answered' | ErrorCode;
}

/** How much an answer holds of what was asked for, and how it was read. */
export interface Coverage {
  /** Items so far, over all pages of the list up to this one; 1 for an object. */
  readonly given: number;
  /** Items of the whole list, by the platform's own count; null if it gives none. */
  readonly total: number | null;
  /** Why the answer ends here. */
  readonly ended: Ended;
  /** Parameters that did not hold. */
  readonly ignored: readonly string[];
  /** Fields whose numbers are rounded here, although the endpoint can give them exact. */
  readonly rounded: readonly string[];
  /** The routes that were tried, in order. */
  readonly routes: readonly RouteOutcome[];
}

/** The coverage of one page, whatever came before it. */
export type PageCoverage = Omit<Coverage, 'given'>;

/** What a reader says of how much it read. */
export type ReadExtent = Required<Pick<ReadResult<unknown>, 'total' | 'ended' | 'ignored' | 'rounded'>>;

/** Once each, in order. A list that is completed from the places of its items asks one route many times. */
const unique = <T>(values: readonly T[]): T[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

/** The coverage of what one call read. An object is whole. */
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

/** The coverage of several pages as one: it ends as the last one does. */
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
 * Where items stand and how much of their list they are, at the end of an envelope or a line. `joins`: pages were
 * followed, so that it says how much in any case.
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
  const located = sources === undefined ? '' : `,"sources":${sources}`;
  const isShown = coverage !== undefined && (joins || sources !== undefined);
  return isShown ? `${located},"coverage":${JSON.stringify(coverage)}` : located;
}

/** True for the last page of a list that the platform itself ends here, with no item left out of it. */
export const isListEnd = ({
  coverage,
  leavesOut,
}: {
  readonly coverage?: Coverage | undefined;
  readonly leavesOut?: boolean;
}) => coverage?.ended === 'end' && leavesOut !== true;
