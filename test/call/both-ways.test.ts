import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstPosition } from '../../lib/call/cursor.js';
import { fetchAnswer } from '../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { type ErrorCode, ExtractError } from '../../lib/errors/extract-error.js';
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

const refused = (code: ErrorCode, message: string, retryAfter?: number) =>
  new ExtractError(code, message, retryAfter === undefined ? {} : { retryAfter });
const http429 = 'The platform returned HTTP 429.';
const http403 = 'The platform returned HTTP 403.';
const puzzle = 'The page showed a puzzle.';
const plainCooldown = (seconds: number) => {
  const clause = `Maps refused at noon and gets the next request in ${seconds} s`;
  return new CooldownRefusal('platform_rate_limited', clause, [http429], seconds);
};
const browserCooldown = (seconds: number) => {
  const clause = `The browser was refused, too, and waits ${seconds} s`;
  const causes = ['The page asked for a sign of life.', puzzle];
  return new CooldownRefusal('platform_blocked', clause, causes, seconds);
};
const errorPage = refused('platform_restricted', 'The platform shows its error page.');

describe('the error of a call that plain requests and the browser both failed', () => {
  for (const [what, plain, browser, expected] of [
    [
      'has the code of the browser’s refusal if the platform gave a reason there, and describes both',
      refused('platform_rate_limited', http429, 30),
      refused('platform_login_required', 'The page is a login.'),
      ['platform_login_required', undefined, /HTTP 429\. A browser was tried, too: The page is a login\./],
    ],
    [
      'says once what both received',
      errorPage,
      errorPage,
      [
        'platform_restricted',
        undefined,
        /^The platform shows its error page\. A browser gets the same\. (?!.*error page)/,
      ],
    ],
    ...(['platform_timeout', 'platform_unavailable', 'platform_changed'] as const).map(
      (code) =>
        [
          `keeps the code and the time of plain requests if the browser only says ${code}`,
          refused('platform_blocked', http403, 30),
          refused(code, 'No list came.'),
          ['platform_blocked', 30, /HTTP 403\. A browser was tried, too: No list came\./],
        ] as const,
    ),
    [
      'is not found if the browser has a witness for that',
      refused('platform_blocked', http403),
      refused('place_not_found', 'The page says that there is none.'),
      ['place_not_found', undefined, /./],
    ],
    [
      'names the earlier refusal if plain requests cool down and the browser was tried',
      plainCooldown(30),
      refused('platform_blocked', puzzle),
      [
        'platform_blocked',
        undefined,
        /^The platform returned HTTP 429\. Maps refused at noon and gets the next request in 30 s\. A browser was tried, too: The page showed a puzzle\.(?!.*no request was made)/,
      ],
    ],
  ] as const) {
    test(what, async () => {
      const { code, retryAfter, message } = await errorOf(plain, browser);
      assert.deepEqual([code, retryAfter], expected.slice(0, 2));
      assert.match(message, expected[2]);
    });
  }

  for (const [plain, browser, code] of [
    [30, 60, 'platform_rate_limited'],
    [60, 30, 'platform_blocked'],
  ] as const) {
    test(`is the earlier retry if no request was made: ${plain} and ${browser} s`, async () => {
      const error = await errorOf(plainCooldown(plain), browserCooldown(browser));
      assert.ok(error instanceof CooldownRefusal);
      assert.deepEqual([error.code, error.retryAfter, error.causes], [code, 30, [http429, puzzle]]);
      const both = /gets the next request in .*\. The browser was refused, too.*; no request was made\./;
      assert.match(error.message, both);
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
