import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { endpoints } from '../../lib/endpoints.js';
import { type Outcome, outcomes } from '../../lib/errors/outcomes.js';
import type { Platform } from '../../lib/platforms.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { type Case, casesOf } from '../../lib/samples.js';
import type { Route } from '../../lib/web/routes.js';
import { rejectedCode } from '../support/error-code.js';
import { readRoutes } from '../support/read-routes.js';

const rows = Object.keys(outcomes) as Outcome[];

describe('the table of outcomes', () => {
  test('equals the table in ARCHITECTURE.md', () => {
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

  test('has no not-found code, and platform_restricted for a subject without data', () => {
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

const error_page: readonly Partial<Route>[] = [
  { status: 500 },
  { status: 503, body: html('<title>Error</title>') },
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
    error_page,
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
    error_page,
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
    error_page,
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
    error_page,
    slow_down: [{ status: 429 }],
  },
};

describe('the outcome of every endpoint', () => {
  for (const endpoint of endpoints) {
    for (const [row, samples] of Object.entries(pages[endpoint.platform])) {
      const { code } = outcomes[row as Outcome];
      test(`of ${endpoint.path} is ${code} for ${row}`, async () => {
        const [one] = await casesOf(endpoint);
        for (const [index, sample] of samples.entries()) {
          const read = readRoutes(endpoint, (one as Case).params, [{ pattern: '.', ...sample }], {
            limit: 1,
          });
          assert.equal(await rejectedCode(read), code, `${row} ${index}`);
        }
      });
    }
  }
});
