import type { BatchResult } from '../../../lib/batch/run-batch.js';
import { isPart } from '../../output/coverage-text.js';
import type { Input } from './input.js';

/** The progress of a batch, as stored in the checkpoint. */
export interface Totals {
  /** Inputs whose lines are final. */
  readonly inputs: number;
  /** Checksum and bytes of the input, up to the last of them. */
  readonly mark: number;
  readonly read: number;
  readonly ok: number;
  /** Inputs without lines, because earlier runs returned everything they contain. */
  readonly withoutNews: number;
  /** Inputs with lists known to be incomplete. */
  readonly parts: number;
  /** Parameters without effect, and fields with rounded numbers. */
  readonly ignored: readonly string[];
  readonly rounded: readonly string[];
  /** Failed inputs by error code. */
  readonly failed: Readonly<Record<string, number>>;
  /** Failed inputs whose lists are partly read. */
  readonly begun: number;
  /** Credits spent, and credits refunded. */
  readonly charged: number;
  readonly givenBack: number;
}

export const noTotals: Totals = {
  inputs: 0,
  mark: 0,
  read: 0,
  ok: 0,
  withoutNews: 0,
  parts: 0,
  ignored: [],
  rounded: [],
  failed: {},
  begun: 0,
  charged: 0,
  givenBack: 0,
};

export function failedCount({ failed }: Pick<Totals, 'failed'>): number {
  return Object.values(failed).reduce((sum, count) => sum + count, 0);
}

const withNames = (current: readonly string[], more: readonly string[] = []) =>
  more.every((name) => current.includes(name)) ? current : [...new Set([...current, ...more])];

export function addResult(
  totals: Totals,
  { item, json, error, coverage, charged, givenBack }: BatchResult<Input>,
  hasNewItems = true,
): Totals {
  const { failed } = totals;
  return {
    inputs: item.index + 1,
    mark: item.checksum,
    read: item.end,
    ok: totals.ok + (error === null ? 1 : 0),
    withoutNews: totals.withoutNews + (hasNewItems ? 0 : 1),
    parts: totals.parts + (error === null && coverage !== undefined && isPart(coverage) ? 1 : 0),
    ignored: withNames(totals.ignored, coverage?.ignored),
    rounded: withNames(totals.rounded, coverage?.rounded),
    failed: error === null ? failed : { ...failed, [error.code]: (failed[error.code] ?? 0) + 1 },
    begun: totals.begun + (error === null || json === null ? 0 : 1),
    charged: totals.charged + charged,
    givenBack: totals.givenBack + givenBack,
  };
}
