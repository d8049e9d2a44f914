import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { renderToString } from 'ink';
import { createElement } from 'react';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import {
  type BatchProgress,
  rateOf,
  restText,
  secondsLeft,
  summaryText,
} from '../../../../src/faces/cli/batch/progress.js';
import { progressLine } from '../../../../src/faces/cli/batch/progress-jsonl.js';
import { ProgressView } from '../../../../src/faces/cli/batch/progress-view.js';
import { noTotals, type Totals } from '../../../../src/files/batch-files/totals.js';

const now = Date.parse('2026-11-05T12:00:00Z');

function moment(over: Partial<BatchProgress> = {}): BatchProgress {
  return {
    platform: 'pronetwork',
    totals: {
      ...{ ...noTotals, inputs: 2500, read: 250_000, ok: 2490, charged: 7470, givenBack: 30 },
      failed: { place_not_found: 7, platform_timeout: 3 },
    },
    ...{ size: 1_000_000, total: undefined, elapsed: 50_000, before: 0, rest: undefined, stopping: false },
    ...{ visits: { open: 0, started: 0 }, paceOf: undefined, tellsCredits: true },
    ...over,
  };
}

const drawn = (one: BatchProgress, width = 80) =>
  stripVTControlCharacters(
    renderToString(createElement(ProgressView, { moment: one, now, width }), { columns: width }),
  );

describe('the progress of a batch', () => {
  test('estimates the time from the pace first, then from the measured inputs', () => {
    const paceOf = (inputs: number) => inputs * 3000;
    const after = (inputs: number, seconds: number) =>
      secondsLeft(moment({ totals: { ...noTotals, inputs }, total: 300, elapsed: seconds * 1000, paceOf }));
    assert.equal(after(0, 0), 900);
    // Lists that are read side by side end late.
    assert.equal(after(0, 120), 780);
    // Twice as long as the table of routes says: the first one proves little.
    assert.equal(after(1, 6), 950);
    assert.equal(after(100, 600), 1117);
    assert.equal(after(300, 1800), 0);
  });

  test('of a resumed batch only counts this run’s inputs', () => {
    assert.equal(rateOf(moment({ before: 2000 })), 10);
  });

  test('says a wait in one line', () => {
    const rest = { error: new ExtractError('platform_rate_limited'), until: now + 90_500 };
    assert.equal(
      restText(rest, now),
      'Waiting 91 s, until 2026-11-05T12:01:30Z: platform rate limited. The batch then continues automatically.',
    );
  });

  test('is one line of JSON for a machine', () => {
    const rest = { error: new ExtractError('platform_blocked'), until: now };
    const line = progressLine('progress', moment({ rest }));
    assert.match(line, /\n$/);
    const { event, inputs, seconds_left, refusal } = JSON.parse(line);
    assert.deepEqual([event, inputs, seconds_left], ['progress', 2500, 150]);
    assert.deepEqual(refusal, { code: 'platform_blocked', until: '2026-11-05T12:00:00.000Z' });
  });

  test('ends in one line', () => {
    const one = { inputs: 1, ok: 1 };
    const limited = { inputs: 9, ok: 9, parts: 2, ignored: ['workplace_type'], rounded: ['likes'] };
    const refused = { inputs: 6, failed: { platform_blocked: 6 }, begun: 5 };
    const cases: readonly (readonly [Partial<Totals>, Partial<BatchProgress>, RegExp])[] = [
      [one, { elapsed: 7_260_000 }, /^1 input in 2 h 1 min: 1 answered\. 0 credits spent\.$/],
      [
        { inputs: 9, ok: 8, withoutNews: 3, parts: 2 },
        {},
        /: 8 answered \(3 without news\), 2 of them partial\. /,
      ],
      [refused, {}, /: 0 answered, 6 failed \(6 platform blocked\), 5 of them with earlier pages\. /],
      [limited, {}, / LinkedIn ignores workplace_type for visitors\. Rounded: likes\.$/],
      // What calls count on one's own machine is no money.
      [one, { tellsCredits: false }, /^1 input in 50 s: 1 answered\.$/],
    ];
    for (const [totals, over, text] of cases)
      assert.match(summaryText(moment({ totals: { ...noTotals, ...totals }, ...over })), text);
    const failed = '10 failed (7 place not found, 3 platform timeout)';
    const cost = '7,470 credits spent, 30 refunded.';
    assert.equal(summaryText(moment()), `2,500 inputs in 50 s: 2,490 answered, ${failed}. ${cost}`);
    assert.match(summaryText(moment({ spentBefore: 3 })), / 7,473 credits spent, 30 refunded\.$/);
    const end = moment({ totals: { ...noTotals, ...limited } });
    const { parts, ignored, rounded } = JSON.parse(progressLine('end', end));
    assert.deepEqual([parts, ignored, rounded], [2, ['workplace_type'], ['likes']]);
  });

  test('shows the duration at the pace before the first answer', () => {
    const paceOf = (inputs: number) => inputs * 1500;
    const started = moment({ totals: noTotals, total: 200, elapsed: 0, paceOf, tellsCredits: false });
    assert.equal(secondsLeft(started), 300);
    assert.match(drawn(started), / 0 of 200 inputs · about 5 min left\n0 answered$/);
  });
});
