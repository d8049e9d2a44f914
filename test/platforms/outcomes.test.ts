import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { firstPosition } from '../../lib/call/cursor.js';
import { fetchAnswer } from '../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { type Outcome, outcomes } from '../../lib/errors/outcomes.js';
import { parseParams } from '../../lib/params/parse.js';
import { type Platform, platforms } from '../../lib/platforms.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { sampleFiles } from '../../lib/sample-files.js';
import { type Case, casesOf } from '../../lib/samples.js';
import type { PageSource } from '../../lib/web/page-source.js';
import { type Route, routeSource } from '../../lib/web/routes.js';
import { pagesOf, stoppedClock } from '../support/cases.js';
import { altered } from '../support/knockout.js';
import { outcomeFixtures } from './outcome-fixtures.js';

const rows = Object.keys(outcomes) as Outcome[];

/** Returns the code of a call's error, or its answer unchanged. */
async function outcomeOf(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ExtractError) return error.code;
    throw error;
  }
}

describe('the table of outcomes', () => {
  for (const row of rows) {
    for (const platform of platforms) {
      const files: readonly string[] | undefined = outcomeFixtures[row][platform];
      if (files === undefined) continue;
      test(`${row} on ${platform} is ${outcomes[row].code}, by ${files.length} fixtures`, async () => {
        assert.ok(files.length > 0);
        for (const text of files) {
          const [name = ''] = text.split(': ');
          const endpoint = endpoints.find(({ path }) => path === `${platform}/${name}`) as Endpoint;
          const one = (await casesOf(endpoint)).find((each) => each.name === text.slice(name.length + 2));
          assert.ok(one, `${platform}/${text} is no fixture`);
          const source = routeSource(sampleFiles(endpoint.path), one.pages);
          assert.equal(await outcomeOf(() => pagesOf(endpoint, one, source)), outcomes[row].code, text);
        }
      });
    }
  }

  test('stands in ARCHITECTURE.md, row by row', () => {
    const map = readFileSync(path.join(packageRoot(), 'ARCHITECTURE.md'), 'utf8');
    const section = map.split('## Pages without their data')[1]?.split('\n## ')[0] ?? '';
    const documented = [...section.matchAll(/^\| `(\w+)` \| .+ \| `(\w+)` \|$/gm)].map(([, row, code]) => [
      row,
      code,
    ]);
    assert.deepEqual(
      documented,
      rows.map((row) => [row, outcomes[row].code]),
    );
  });

  test('calls nothing missing, and asks nobody to wait for what does not pass', () => {
    for (const row of rows) assert.doesNotMatch(outcomes[row].code, /not_found/);
    assert.equal(outcomes.subject_without_data.code, 'platform_restricted');
  });
});

const html = (head: string, body = '<div id="root"></div>') =>
  `<!DOCTYPE html><html lang="en"><head>${head}</head><body>${body}</body></html>`;
const routeOf = (name: string) =>
  html(
    '<title>Instagram</title>',
    `<script type="application/json" data-sjs>{"canonicalRouteName":"comet.igweb.${name}"}</script>`,
  );

/** Answers that hold nothing: without a byte, or leading off the platform. */
const nothing: readonly Partial<Route>[] = [
  { body: '' },
  { body: ' \n' },
  { status: 204 },
  { status: 302, headers: { location: 'https://example.org/' } },
  { status: 302 },
];

/** Pages that replace every page of a platform, whatever was requested. */
const pages: Readonly<Record<Platform, Partial<Record<Outcome, readonly Partial<Route>[]>>>> = {
  maps: {
    shell: [
      { body: html('<title>Google Maps</title><script>window.APP_INITIALIZATION_STATE=[null];</script>') },
      ...nothing,
    ],
    login_wall: [
      { finalUrl: 'https://accounts.google.com/ServiceLogin', body: html('<title>Sign in</title>') },
    ],
    challenge: [
      { body: html('<title>Sorry...</title>', '<form id="captcha-form"></form>') },
      { status: 403 },
    ],
    error_page: [{ status: 500 }, { status: 503, body: html('<title>Error</title>') }],
    slow_down: [{ status: 429 }, { finalUrl: 'https://www.google.com/sorry/index', body: html('') }],
  },
  pronetwork: {
    shell: [{ body: html('<title>LinkedIn</title>') }, ...nothing],
    login_wall: [
      { finalUrl: 'https://www.linkedin.com/authwall?trk=x', body: html('<title>Join</title>') },
      { body: html('<meta name="pageKey" content="auth_wall_desktop_profile">') },
    ],
    challenge: [
      { status: 999 },
      { status: 403 },
      { finalUrl: 'https://www.linkedin.com/checkpoint/challenge/x', body: html('') },
    ],
    error_page: [{ status: 500 }, { status: 503, body: html('<title>Error</title>') }],
    slow_down: [{ status: 429 }],
  },
  photosocial: {
    error_route: [{ body: routeOf('PolarisErrorRoute') }],
    shell: [
      { body: html('<title>Instagram</title>') },
      ...nothing,
      {
        body: html('<title>Instagram</title><meta property="og:url" content="https://www.instagram.com/" />'),
      },
    ],
    login_wall: [
      { body: routeOf('PolarisCAAIGLoginHomepageRoute') },
      { finalUrl: 'https://www.instagram.com/accounts/login/?next=x', body: html('') },
    ],
    challenge: [{ finalUrl: 'https://www.instagram.com/challenge/?next=x', body: html('') }, { status: 403 }],
    unknown_layout: [{ body: routeOf('PolarisNewRoute') }],
    error_page: [{ status: 500 }, { status: 503, body: html('<title>Error</title>') }],
    slow_down: [{ status: 429 }],
  },
  shortvideo: {
    shell: [{ body: html('<title>TikTok - Make Your Day</title>') }, ...nothing],
    login_wall: [{ finalUrl: 'https://www.tiktok.com/login?x=1', body: html('<title>Log in</title>') }],
    challenge: [
      { body: '<html><p id="wci" class="_wafchallengeid"></p></html>' },
      { body: html('<title>Security Check</title>') },
      { status: 403 },
    ],
    error_page: [{ status: 500 }, { status: 503, body: html('<title>Error</title>') }],
    slow_down: [{ status: 429 }],
  },
};

/** What an endpoint's first case asks for. */
async function requestOf(endpoint: Endpoint) {
  const [one] = await casesOf(endpoint);
  const identity = endpoint.identify(parseParams(endpoint, (one as Case).params));
  return { endpoint, identity, position: firstPosition, limit: 1 };
}

describe('every endpoint, with the pages of each row in place of its own', () => {
  for (const endpoint of endpoints) {
    for (const [row, samples] of Object.entries(pages[endpoint.platform])) {
      const { code } = outcomes[row as Outcome];
      test(`${endpoint.path}, ${row}: ${code}`, async () => {
        const request = await requestOf(endpoint);
        for (const [index, sample] of samples.entries()) {
          const source = routeSource('.', [{ pattern: '.', ...sample }]);
          const outcome = await outcomeOf(() => fetchAnswer(request, source, stoppedClock));
          assert.equal(
            typeof outcome === 'string' ? outcome : JSON.stringify(outcome),
            code,
            `${row} ${index}`,
          );
        }
      });
    }
  }
});

/** The scripts that contain the data of the platforms' pages. */
const dataScript = /<script\b[^>]*type="application\/(?:ld\+)?json"[^>]*>[\s\S]*?<\/script>/g;

/** The page without its data. That is its data scripts, what a visitor sees, or a whole body of data. */
function withoutData(text: string): string {
  if (!/^\s*</.test(text)) return html('<title>A shell</title>');
  return text.replace(dataScript, '').replace(/<main\b[\s\S]*<\/main>/, '');
}

const rowCodes: ReadonlySet<string> = new Set(Object.values(outcomes).map(({ code }) => code));

/** The source with its answer number `at` changed. */
function alteredAt(source: PageSource, at: number): { readonly source: PageSource; touched(): boolean } {
  let answers = 0;
  let isTouched = false;
  const changed = altered(source, (text) => {
    const isIt = answers === at;
    answers += 1;
    const altered = isIt ? withoutData(text) : text;
    isTouched ||= altered !== text;
    return altered;
  });
  return { source: changed, touched: () => isTouched };
}

const isEmptyList = (data: unknown) => Array.isArray(data) && data.length === 0;

describe('a fixture whose data is taken out, one page after the other', () => {
  for (const endpoint of endpoints) {
    test(`${endpoint.path}: a row of the table, never “not found”, never an empty list`, async () => {
      let removals = 0;
      for (const one of await casesOf(endpoint)) {
        if (one.expect === undefined) continue;
        const source = () => routeSource(sampleFiles(endpoint.path), one.pages);
        const first = async (pages: PageSource) => (await pagesOf(endpoint, one, pages, 1))[0];
        const full = await first(source());
        for (let at = 0; at < 12; at += 1) {
          const { source: without, touched } = alteredAt(source(), at);
          const outcome = await outcomeOf(() => first(without));
          if (!touched()) continue;
          removals += 1;
          const about = `${one.name}, answer ${at}: ${JSON.stringify(outcome)?.slice(0, 200)}`;
          if (typeof outcome === 'string') assert.ok(rowCodes.has(outcome), about);
          else if (isEmptyList(outcome)) assert.ok(isEmptyList(full), about);
        }
      }
      assert.ok(removals > 0, 'nothing was taken out');
    });
  }
});
