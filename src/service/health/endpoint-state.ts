import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import { type Outcome, platformOutcome } from './call-outcome.js';
import type { CanaryResult } from './canary.js';
import type { LastHour } from './recent-calls.js';
import { fieldText } from './watched-fields.js';

/**
 * `degraded`: answers arrive but lack something. `unreachable`: no answer arrives, because of the platform or our own
 * network. `refused`: the platform refuses us. `changed`: its pages lack required content. `unknown`: there were no
 * recent calls.
 */
export const states = ['ok', 'degraded', 'unreachable', 'refused', 'changed', 'unknown'] as const;
export type State = (typeof states)[number];

/** A field that fewer answers have than usual. */
export interface FallenField {
  readonly field: string;
  /** The usual share of answers with the field, and the share when the fall was detected; 0 to 1. */
  readonly usual: number;
  readonly share: number;
}

export interface Evidence {
  readonly lastHour: LastHour;
  /** Error codes since the last answer, newest first, at most ten. */
  readonly failuresInRow: readonly ErrorCode[];
  /** Answers to real calls since the canary; 0 without a canary. */
  readonly answersSinceCanary: number;
  /** The last one, if recent enough to count. */
  readonly canary: CanaryResult | null;
  readonly fallen: readonly FallenField[];
}

/** A state, with its reasons in sentences; none for `ok`. */
export interface JudgedState {
  readonly state: State;
  readonly reasons: readonly string[];
}

/** True for an outcome or a state without answers. */
export const isOut = (state: string) => ['refused', 'changed', 'unreachable'].includes(state);

/** Least serious first. */
const order: readonly State[] = ['unknown', 'ok', 'degraded', 'unreachable', 'refused', 'changed'];
/** Minimum failures of one kind to say something about the endpoint. */
const minFailures = 2;
const minScattered = 3;
const minScatteredShare = 0.1;
/** Consecutive failures that do so regardless of earlier answers. */
export const minInRow = 10;
/** Answers after a failed canary that show that its subject is the problem, or that the problem is over. */
const minAnswersAfter = 5;

export const percent = (share: number) => `${Math.round(share * 100)}%`;

function worse(one: JudgedState, other: JudgedState): JudgedState {
  const [a, b] = [order.indexOf(one.state), order.indexOf(other.state)];
  if (a === b) return { state: one.state, reasons: [...one.reasons, ...other.reasons] };
  return a > b ? one : other;
}

function ofCalls({ counts, codes }: LastHour): JudgedState {
  const { answered, not_found, refused, changed, unreachable } = counts;
  const failed = refused + changed + unreachable;
  const all = failed + answered + not_found;
  // No counts: the public page must not reveal how often customers call.
  const mostly = codes[0]?.code;
  const reasons = [`${percent(failed / all)} of the calls of the last hour failed, mostly with ${mostly}.`];
  if (changed >= minFailures && changed * 2 >= all) return { state: 'changed', reasons };
  if (refused + unreachable >= minFailures && (refused + unreachable) * 2 >= all) {
    return { state: refused >= unreachable ? 'refused' : 'unreachable', reasons };
  }
  if (failed >= minScattered && failed >= all * minScatteredShare) return { state: 'degraded', reasons };
  return { state: answered + not_found > 0 ? 'ok' : 'unknown', reasons: [] };
}

/** Consecutive failures, which earlier answers of the same hour would outweigh. */
function ofRow(codes: readonly ErrorCode[]): JudgedState {
  if (codes.length < minInRow) return { state: 'unknown', reasons: [] };
  const count = (outcome: Outcome) => codes.filter((code) => platformOutcome(code) === outcome).length;
  const reasons = [`The last ${minInRow} calls failed, the newest with ${codes[0]}.`];
  if (count('changed') * 2 >= codes.length) return { state: 'changed', reasons };
  return { state: count('refused') >= count('unreachable') ? 'refused' : 'unreachable', reasons };
}

function ofCanary({ outcome, code, problems }: CanaryResult): JudgedState {
  switch (outcome) {
    case 'ok':
      return { state: 'ok', reasons: [] };
    case 'incomplete':
      return { state: 'degraded', reasons: problems.map((problem) => `The canary's answer: ${problem}`) };
    case 'not_found':
      return { state: 'degraded', reasons: ['The canary’s subject was not found.'] };
    case 'failed':
      return { state: 'unknown', reasons: [] };
    default:
      return { state: outcome, reasons: [`The canary ended with ${code}.`] };
  }
}

/** Judges an endpoint by its canary, the real calls of the last hour, and the fields of its answers. */
export function judge(evidence: Evidence): JudgedState {
  const { lastHour, failuresInRow, canary, answersSinceCanary, fallen } = evidence;
  const [ofHour, inRow] = [ofCalls(lastHour), ofRow(failuresInRow)];
  const calls = order.indexOf(inRow.state) > order.indexOf(ofHour.state) ? inRow : ofHour;
  let judgedCalls = calls;
  if (canary !== null) {
    const canaryState = ofCanary(canary);
    const outlived = calls.state === 'ok' && answersSinceCanary >= minAnswersAfter;
    judgedCalls = worse(
      calls,
      outlived && isOut(canaryState.state)
        ? { state: 'degraded', reasons: [`The canary ended with ${canary.code}; calls are answered.`] }
        : canaryState,
    );
  }
  if (fallen.length === 0) return judgedCalls;
  const reasons = fallen.map(
    ({ field, usual, share }) =>
      `${fieldText(field)} in ${percent(share)} of the answers; usually ${percent(usual)}.`,
  );
  return worse(judgedCalls, { state: 'degraded', reasons });
}
