import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstPosition } from '../../lib/call/cursor.js';
import { fetchAnswer } from '../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { CooldownRefusal } from '../../lib/web/cooldown-refusal.js';
import type { PageSession, PageSource } from '../../lib/web/page-source.js';
import { stoppedClock } from '../support/cases.js';
import { aHarbour, harbourOne, harbours } from '../support/invented-rows.js';

/** A source of which every session ends with one error. */
function failing(error: unknown): PageSource {
  const session: PageSession = {
    fetch: () => Promise.reject(error),
    cookie: () => null,
    end: (error) => error,
  };
  return { open: () => session, close: async () => {} };
}

const endpoint: Endpoint = {
  ...harbourOne,
  read: async ({ session }) => {
    await session.fetch({ url: 'https://example.com/' });
    throw new Error('no request of these tests is answered');
  },
};

const request = { endpoint, identity: { id: 'h' }, position: firstPosition, limit: 1 };

/** The error of a call that plain requests and the browser both failed. */
async function errorOf(plain: unknown, browser: unknown): Promise<ExtractError> {
  const pages: PageSource = {
    ...failing(plain),
    browser: { when: 'refused', source: async () => failing(browser) },
  };
  const error = await fetchAnswer(request, pages, stoppedClock).then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(error instanceof ExtractError);
  return error;
}

const plainCooldown = (seconds: number) =>
  new CooldownRefusal(
    'platform_rate_limited',
    `Maps refused at noon and gets the next request in ${seconds} s`,
    ['The platform returned HTTP 429.'],
    seconds,
  );
const browserCooldown = (seconds: number) =>
  new CooldownRefusal(
    'platform_blocked',
    `The browser was refused, too, and waits ${seconds} s`,
    ['The page asked for a sign of life.', 'The page showed a puzzle.'],
    seconds,
  );

describe('the error of a call that plain requests and the browser both failed', () => {
  test('has the code of the browser’s refusal if the platform gave a reason there, and describes both', async () => {
    const error = await errorOf(
      new ExtractError('platform_rate_limited', 'The platform returned HTTP 429.', { retryAfter: 30 }),
      new ExtractError('platform_login_required', 'The page is a login.'),
    );
    assert.equal(error.code, 'platform_login_required');
    assert.match(error.message, /HTTP 429\. A browser was tried, too: The page is a login\./);
    assert.equal(error.retryAfter, undefined);
  });

  test('says once what both received', async () => {
    const error = await errorOf(
      new ExtractError('platform_restricted', 'The platform shows its error page.'),
      new ExtractError('platform_restricted', 'The platform shows its error page.'),
    );
    assert.match(error.message, /^The platform shows its error page\. A browser gets the same\. \w/);
    assert.equal(error.message.match(/error page/g)?.length, 1);
  });

  for (const code of ['platform_timeout', 'platform_unavailable', 'platform_changed'] as const) {
    test(`keeps the code and the time of plain requests if the browser only says ${code}`, async () => {
      const error = await errorOf(
        new ExtractError('platform_blocked', 'The platform returned HTTP 403.', { retryAfter: 30 }),
        new ExtractError(code, 'No list came.'),
      );
      assert.equal(error.code, 'platform_blocked');
      assert.equal(error.retryAfter, 30);
      assert.match(error.message, /HTTP 403\. A browser was tried, too: No list came\./);
    });
  }

  test('is not found if the browser has a witness for that', async () => {
    const error = await errorOf(
      new ExtractError('platform_blocked', 'The platform returned HTTP 403.'),
      new ExtractError('place_not_found', 'The page says that there is none.'),
    );
    assert.equal(error.code, 'place_not_found');
  });

  test('names the earlier refusal if plain requests cool down and the browser was tried', async () => {
    const error = await errorOf(
      plainCooldown(30),
      new ExtractError('platform_blocked', 'The page showed a puzzle.'),
    );
    assert.equal(error.code, 'platform_blocked');
    assert.match(
      error.message,
      /^The platform returned HTTP 429\. Maps refused at noon and gets the next request in 30 s\. A browser was tried, too: The page showed a puzzle\./,
    );
    assert.doesNotMatch(error.message, /no request was made/);
  });

  for (const [plain, browser, code] of [
    [30, 60, 'platform_rate_limited'],
    [60, 30, 'platform_blocked'],
  ] as const) {
    test(`is the earlier retry if no request was made: ${plain} and ${browser} s`, async () => {
      const error = await errorOf(plainCooldown(plain), browserCooldown(browser));
      assert.ok(error instanceof CooldownRefusal);
      assert.equal(error.code, code);
      assert.equal(error.retryAfter, 30);
      assert.deepEqual(error.causes, ['The platform returned HTTP 429.', 'The page showed a puzzle.']);
      assert.match(
        error.message,
        /gets the next request in .*\. The browser was refused, too.*; no request was made\./,
      );
    });
  }
});

test('a list whose rest the browser was refused is reported as a part, and cached for minutes', async () => {
  const asked = { route: 'page', surface: 'page', outcome: 'answered' } as const;
  const endpoint: Endpoint = {
    ...harbours,
    read: async ({ session, beyond }) => {
      session.report?.(asked);
      const sources = [{ id: 'a', url: null, author: null }];
      const part = beyond ? { data: [] } : { data: [aHarbour({ name: 'a' })], ids: ['a'], sources };
      return { ...part, endsEarly: true, emptyProof: { leftOut: 1 }, total: 95, ended: 'visitors' };
    },
  };
  const refusal = new ExtractError('platform_blocked');
  const inBrowser: PageSource = {
    open: () => {
      throw refusal;
    },
    close: async () => {},
  };
  const pages: PageSource = {
    open: () => ({ fetch: () => Promise.reject(refusal), cookie: () => null, end: (error) => error }),
    close: async () => {},
    browser: { when: 'refused', source: async () => inBrowser },
  };
  const { answer } = await fetchAnswer({ ...request, endpoint }, pages, stoppedClock);
  assert.equal(answer.brief, true);
  assert.deepEqual(answer.coverage, {
    ...{ total: 95, ended: 'refused', ignored: [], rounded: [] },
    routes: [{ route: 'page', outcome: 'answered' }],
  });
});
