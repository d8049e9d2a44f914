import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ErrorCode, ExtractError } from '../../lib/errors/extract-error.js';
import { firstAnswer } from '../../lib/read/first-answer.js';

const gives = (value: string) => async () => value;
const fails =
  (code: ErrorCode, message: string = code) =>
  async () => {
    throw new ExtractError(code, message);
  };

describe('several sources of one thing', () => {
  test('the first that answers is the answer, and later sources are not tried', async () => {
    const sources: string[] = [];
    const source = (name: string, ask: () => Promise<string>) => () => {
      sources.push(name);
      return ask();
    };
    const answer = await firstAnswer([
      source('a', fails('platform_blocked')),
      source('b', gives('found')),
      source('c', gives('never')),
    ]);
    assert.equal(answer, 'found');
    assert.deepEqual(sources, ['a', 'b']);
  });

  for (const code of [
    'platform_blocked',
    'platform_login_required',
    'platform_rate_limited',
    'platform_unavailable',
    'platform_timeout',
    'platform_changed',
  ] as const) {
    test(`${code} leads to the next source`, async () => {
      assert.equal(await firstAnswer([fails(code), gives('found')]), 'found');
    });
  }

  for (const code of [
    'post_not_found',
    'account_private',
    'platform_restricted',
    'internal_error',
  ] as const) {
    test(`${code} is the outcome, whatever came before it`, async () => {
      await assert.rejects(firstAnswer([fails('platform_blocked'), fails(code), gives('never')]), { code });
    });
  }

  test('where none answers, the first refusal is thrown', async () => {
    const sources = [fails('platform_rate_limited', 'first'), fails('platform_changed', 'second')];
    await assert.rejects(firstAnswer(sources), { code: 'platform_rate_limited', message: /^first\b/ });
  });

  test('what is no error of ours is thrown on at once', async () => {
    const reason = new TypeError('stopped');
    await assert.rejects(
      firstAnswer([() => Promise.reject(reason), gives('never')]),
      (error) => error === reason,
    );
  });
});
