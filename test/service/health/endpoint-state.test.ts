import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { noOutcomes, type Outcome, outcomeOf } from '../../../src/service/health/call-outcome.js';
import type { CanaryResult } from '../../../src/service/health/canary.js';
import { type Evidence, judge } from '../../../src/service/health/endpoint-state.js';
import { addCalls, countOf, lastHour } from '../../../src/service/health/recent-calls.js';

const canary = (outcome: CanaryResult['outcome'], code: ErrorCode | null = null): CanaryResult => ({
  ...{ at: 0, outcome, code, problems: ['name is null.'], filled: 3, fields: 4, source: '', seconds: 1 },
});

function evidence(counts: Partial<Record<Outcome, number>>, over: Partial<Evidence> = {}): Evidence {
  const codes: { code: ErrorCode; count: number }[] = [];
  if (counts.refused) codes.push({ code: 'platform_blocked', count: counts.refused });
  if (counts.changed) codes.push({ code: 'platform_changed', count: counts.changed });
  if (counts.unreachable) codes.push({ code: 'platform_timeout', count: counts.unreachable });
  return {
    lastHour: { counts: { ...noOutcomes(), ...counts }, codes },
    ...{ failuresInRow: [], canary: null, answersSinceCanary: 0, fallen: [] },
    ...over,
  };
}

describe('the state of an endpoint', () => {
  test('is unknown before the first call, and after a single failure', () => {
    assert.deepEqual(judge(evidence({})), { state: 'unknown', reasons: [] });
    assert.equal(judge(evidence({ refused: 1 })).state, 'unknown');
    assert.equal(judge(evidence({}, { canary: canary('failed', 'internal_error') })).state, 'unknown');
  });

  test('follows the outcomes of the last hour’s calls', () => {
    const rows: [Partial<Record<Outcome, number>>, string][] = [
      [{ answered: 1 }, 'ok'],
      [{ not_found: 3 }, 'ok'],
      [{ answered: 100, refused: 2 }, 'ok'],
      [{ answered: 20, refused: 3 }, 'degraded'],
      [{ answered: 2, refused: 2 }, 'refused'],
      [{ unreachable: 2 }, 'unreachable'],
      [{ refused: 2, unreachable: 1 }, 'refused'],
      [{ refused: 1, unreachable: 2 }, 'unreachable'],
      [{ answered: 2, changed: 2 }, 'changed'],
      [{ refused: 9, changed: 9 }, 'changed'],
    ];
    for (const [counts, state] of rows)
      assert.equal(judge(evidence(counts)).state, state, JSON.stringify(counts));
    assert.deepEqual(judge(evidence({ answered: 2, refused: 6 })).reasons, [
      '75% of the calls of the last hour failed, mostly with platform_blocked.',
    ]);
  });

  test('follows the canary', () => {
    const states = { ok: 'ok', incomplete: 'degraded', not_found: 'degraded', refused: 'refused' };
    for (const [outcome, state] of Object.entries({
      ...states,
      unreachable: 'unreachable',
      changed: 'changed',
    }))
      assert.equal(judge(evidence({}, { canary: canary(outcome as CanaryResult['outcome']) })).state, state);
  });

  test('is the worse of the two, until enough answers show that the canary’s subject is at fault', () => {
    const changed = canary('changed', 'platform_changed');
    for (const [answersSinceCanary, state] of [[4, 'changed'] as const, [5, 'degraded'] as const])
      assert.equal(judge(evidence({ answered: 9 }, { canary: changed, answersSinceCanary })).state, state);
    assert.equal(judge(evidence({ answered: 2, changed: 2 }, { canary: canary('ok') })).state, 'changed');
  });

  test('is degraded with the name of a field that fell', () => {
    const fallen = [{ field: 'phone', usual: 0.61, share: 0.12 }];
    assert.deepEqual(judge(evidence({ answered: 9 }, { fallen })), {
      state: 'degraded',
      reasons: ['phone was filled in 12% of the answers; usually 61%.'],
    });
    assert.equal(judge(evidence({ changed: 9 }, { fallen })).state, 'changed');
  });
});

describe('what calls met', () => {
  test('counts for an hour', () => {
    const minute = 60_000;
    const { minutes } = addCalls(
      countOf(0, 'answered', null, null),
      countOf(30 * minute, 'refused', 'platform_blocked', null),
    );
    const since = (now: number, from?: number) => lastHour(minutes, now, from);
    assert.equal(since(59 * minute).counts.answered, 1);
    assert.equal(since(60 * minute).counts.answered, 0);
    assert.equal(since(60 * minute).counts.refused, 1);
    assert.deepEqual(since(60 * minute).codes, [{ code: 'platform_blocked', count: 1 }]);
    assert.equal(since(40 * minute, 31 * minute).counts.refused, 0);
  });

  test('ignores errors of the caller and of this service', () => {
    const of = (code: ErrorCode) => outcomeOf(new ExtractError(code));
    for (const code of ['invalid_url', 'insufficient_credits', 'internal_error', 'rate_limited'] as const) {
      assert.equal(of(code), null);
    }
    assert.equal(of('account_private'), 'not_found');
    assert.equal(of('platform_login_required'), 'refused');
  });
});
