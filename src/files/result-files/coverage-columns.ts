import type { Coverage } from '../../../lib/call/coverage.js';

/** Columns of the table of runs: how many of the requested items each input returned. */
export const coverageColumns = ['given', 'total', 'ended', 'ignored', 'rounded', 'routes'] as const;

/** Returns the cells of these columns; lists as words, because a cell holds one value. */
export const coverageCells = ({ given, total, ended, ignored, rounded, routes }: Coverage) =>
  [
    given,
    total,
    ended,
    ignored.join(', '),
    rounded.join(', '),
    routes.map(({ route, outcome }) => `${route}: ${outcome}`).join(', '),
  ] as const;
