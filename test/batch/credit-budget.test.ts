import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CreditBudget } from '../../lib/batch/credit-budget.js';

describe('the credits that a batch may spend', () => {
  test('are set aside before the calls, so that calls together cannot pass the limit', async () => {
    const budget = new CreditBudget(6, 0);
    for (const _ of [0, 1, 2]) budget.enter();
    assert.equal(budget.take(3, 0), undefined);
    assert.equal(budget.take(3, 1), undefined);
    const third = budget.take(3, 2);
    assert.ok(third instanceof Promise);
    budget.leave();
    budget.leave();
    await assert.rejects(third, { code: 'insufficient_credits' });
  });

  test('are released by a failed call for the waiting one', async () => {
    const budget = new CreditBudget(3, 0);
    budget.enter();
    budget.enter();
    budget.take(3, 0);
    const second = budget.take(3, 1);
    budget.release(3);
    budget.leave();
    await second;
  });

  test('are served in the order of the inputs', async () => {
    const budget = new CreditBudget(3, 0);
    for (const _ of [0, 1, 2]) budget.enter();
    budget.take(3, 0);
    const served: number[] = [];
    const later = Promise.resolve(budget.take(3, 9)).then(() => served.push(9));
    const sooner = Promise.resolve(budget.take(3, 4)).then(() => served.push(4));
    budget.release(3);
    await sooner;
    budget.release(3);
    await later;
    assert.deepEqual(served, [4, 9]);
  });

  test('held by inputs that all wait for more are taken from the last input', async () => {
    const budget = new CreditBudget(4, 0);
    budget.enter();
    budget.enter();
    budget.take(2, 0);
    budget.take(2, 1);
    const first = Promise.resolve(budget.take(2, 0));
    const last = Promise.resolve(budget.take(2, 1));
    await assert.rejects(last, /would exceed the limit of 4/);
    budget.release(2);
    budget.leave();
    await first;
  });
});
