import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExtractError } from '../../lib/errors/extract-error.js';
import type { Line } from '../../src/lines/line.js';
import { isSpent, keepItems, remainder } from '../../src/lines/line.js';
import { openSteps, requestSteps } from '../../src/lines/run-steps.js';
import type { OpenStep } from '../../src/lines/step.js';
import { harbours as endpoint } from '../support/invented-rows.js';
import { testPorts } from '../support/step-ports.js';

const lineOf = (data: unknown, more: Partial<Line> = {}): Line => ({
  item: { index: 0, params: { query: 'a' }, echo: '{"query":"a"}', fault: null },
  json: JSON.stringify(data),
  error: null,
  ...more,
});
const run = {
  ...({ kind: 'batch', endpoint, isForeign: false, all: false, output: null } as const),
  nameOf: (option: string) => `--${option}`,
};
const opened = (all: readonly OpenStep[], sources = true) => {
  const steps = all.map((step) => ({ open: () => step }));
  return openSteps(steps, testPorts(endpoint), { sources });
};

describe('a line', () => {
  test('loses items with their sources, and nothing else', () => {
    const sources = '[{"id":"1"},{"id":"2"}]';
    const line = lineOf([{ name: 'a' }, { name: 'b' }], { sources, changed: '{}' });
    const rest = { json: '[{"name":"b"}]', sources: '[{"id":"2"}]', changed: '{}', leftOut: 1 };
    assert.partialDeepStrictEqual(keepItems(line, [false, true], true), rest);
  });

  test('is spent once a step left nothing, and never with items that were removed', () => {
    assert.equal(isSpent(lineOf([])), false);
    assert.equal(isSpent(keepItems(lineOf([1]), [false], true)), true);
    assert.equal(isSpent(keepItems(lineOf([1], { removed: ['x'] }), [false], true)), false);
    assert.equal(isSpent(keepItems(lineOf({}), [false], false)), true);
  });

  test('keeps its error when no item is left', () => {
    const error = new ExtractError('platform_blocked');
    assert.deepEqual(remainder(keepItems(lineOf([1], { error }), [false], true))?.error, error);
    assert.equal(remainder(keepItems(lineOf([1]), [false], true)), null);
  });
});

describe('the steps of a run', () => {
  test('are those that its options request', async () => {
    assert.deepEqual(await requestSteps({}, run), []);
    assert.equal((await requestSteps({ when: 'berths > 1', pseudonymise: ['author'] }, run)).length, 2);
    const wrong = requestSteps({ keepNames: ['a'] }, run);
    await assert.rejects(wrong, /^ExtractError: --keepNames needs --pseudonymise/);
  });

  test('pass a line in order, and the rest of them only the error of a line without items', async () => {
    const seen: string[] = [];
    const note = (name: string): OpenStep => ({
      apply(line) {
        seen.push(`${name} ${line.json} ${line.error?.code ?? ''}`.trim());
        return line;
      },
    });
    const drops: OpenStep = { apply: (line) => keepItems(line, [false], true) };
    const steps = await opened([note('first'), drops, note('last')]);
    assert.equal(isSpent(await steps.apply(lineOf([1]))), true);
    await steps.apply(lineOf([1], { error: new ExtractError('platform_blocked') }));
    assert.deepEqual(seen, ['first [1]', 'first [1] platform_blocked', 'last null platform_blocked']);
  });

  test('work ahead on what earlier steps will leave of the line', async () => {
    const saved: unknown[] = [];
    const drops: OpenStep = { preview: (line) => keepItems(line, [true, false], true) };
    const saves: OpenStep = {
      async ahead({ json }) {
        saved.push(json);
        return 'done';
      },
    };
    const steps = await opened([drops, saves]);
    assert.equal(await steps.ahead?.(lineOf([1, 2])), 'done');
    assert.deepEqual(saved, ['[1]']);
    assert.equal((await opened([drops])).ahead, undefined);
  });

  test('are told from the last to the first that lines are safe', async () => {
    const order: string[] = [];
    const step = (name: string): OpenStep => ({
      async saved(before) {
        order.push(`${name} ${before}`);
      },
      async close() {
        order.push(`${name} closed`);
      },
    });
    const steps = await opened([step('seen'), step('notices')]);
    await steps.saved(3);
    await steps.close();
    assert.deepEqual(order, ['notices 3', 'seen 3', 'notices closed', 'seen closed']);
  });

  test('leave out sources that only they needed', async () => {
    const steps = await opened([], false);
    assert.equal((await steps.apply(lineOf([], { sources: '[]' }))).sources, undefined);
  });
});
