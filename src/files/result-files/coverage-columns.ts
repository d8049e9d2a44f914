import type { Coverage } from '../../../lib/call/coverage.js';

/** Columns of the table of runs: how much of what was asked for an input gave. */
export const coverageColumns = ['given', 'total', 'ended', 'ignored', 'rounded', 'routes'] as const;

/** The cells of these columns; lists in words, as a cell holds one value. */
export const coverageCells = ({ given, total, ended, ignored, rounded, routes }: Coverage) =>
  [
    given,
    total,
    ended,
    ignored.join(', '),
    rounded.join(', '),
    routes.map(({ route, outcome }) => `${route}: ${outcome}`).join(', '),
  ] as const;
