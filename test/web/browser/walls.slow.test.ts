import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import type { BrowserUse } from '../../../lib/config-browser.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { type Case, casesOf } from '../../../lib/samples.js';
import type { BrowserSource } from '../../../lib/web/browser/browser-source.js';
import { visitLimits } from '../../../lib/web/browser/limits.js';
import type { PageSource } from '../../../lib/web/page-source.js';
import { routeSource } from '../../../lib/web/routes.js';
import {
  type Answers,
  browserSite,
  noBrowser,
  type SiteAnswer,
  type SiteRequest,
  sharedByFile,
  siteBothWays,
  siteByBrowser,
} from '../../support/browser-site.js';
import { pagesOf } from '../../support/cases.js';
import { consent, passedCookie } from '../../support/consent-wall.js';
import { fixturesOf } from '../../support/fixtures.js';
import { type Exchange, noting, recordedSite } from '../../support/recorded-site.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const fixture = (name: string) => readFileSync(path.join('fixtures', name), 'latin1');
/** What a page does that only wants to see scripts run. */
const passAndReload = `<script>document.cookie = '${passedCookie}'; location.reload()</script>`;
const passAndShow = `<script>document.cookie = '${passedCookie}';
fetch(location.href).then((one) => one.text()).then((text) => { document.open(); document.write(text); document.close(); })</script>`;
const spinner = '<script>setInterval(() => fetch("/api/tick"), 50)</script>';
const shell = (script = '') => `<!doctype html><title>Instagram</title><div id="root"></div>${script}`;
type Wall = (request: SiteRequest) => SiteAnswer;
const leadsTo =
  (address: string, page: string): Wall =>
  ({ path: at }) =>
    new URL(address, 'https://x').pathname === at
      ? { body: page }
      : { status: 302, headers: { location: address } };

const page =
  (body: string, status = 200): Wall =>
  () => ({ body, status });
const [shortvideo, pronetwork] = ['shortvideo/profile', 'pronetwork/profile'];
const [photosocial, place] = ['photosocial/profile', 'maps/place'];
const waiting = `<html><p class="_wafchallengeid">Please wait</p>${passAndReload}</html>`;
const login = leadsTo('/login?redirect=x', '<title>Log in</title>');
const accountLogin = leadsTo('/accounts/login/?next=x', '<title>Login</title>');

/** Walls shown before every page until the visitor has passed them. `leadsOn`: with scripts, or by refusing consent. */
const walls: readonly (readonly [
  name: string,
  endpoint: string,
  code: string,
  answer: Wall,
  leadsOn: boolean,
])[] = [
  ['a waiting room whose scripts lead on', shortvideo, 'platform_blocked', page(waiting), true],
  [
    'a waiting room that stays',
    shortvideo,
    'platform_blocked',
    page(fixture(`${shortvideo}/challenge.html`)),
    false,
  ],
  ['a captcha', shortvideo, 'platform_blocked', page(fixture(`${shortvideo}/captcha.html`)), false],
  ['a login wall', shortvideo, 'platform_login_required', login, false],
  ['an empty page', shortvideo, 'platform_blocked', page(''), false],
  ['a status that asks for fewer requests', shortvideo, 'platform_rate_limited', page('', 429), false],
  [
    'a refusal whose scripts lead on',
    pronetwork,
    'platform_blocked',
    page(`<html><head>${passAndReload}`, 999),
    true,
  ],
  ['a refusal without a body', pronetwork, 'platform_blocked', page('', 999), false],
  [
    'a sign-in wall',
    pronetwork,
    'platform_login_required',
    page(fixture(`${pronetwork}/authwall.html`)),
    false,
  ],
  ['a shell that its scripts fill', photosocial, 'platform_blocked', page(shell(passAndShow)), true],
  ['a shell whose spinner never stops', photosocial, 'platform_blocked', page(shell(spinner)), false],
  ['a login wall', photosocial, 'platform_login_required', accountLogin, false],
  [
    'a question for consent that takes no “no”',
    place,
    'platform_blocked',
    (one) => consent(one, false),
    false,
  ],
];

const endpointAt = (name: string) => endpoints.find((one) => one.path === name) as Endpoint;

describe('a wall in front of a page', { skip: noBrowser }, () => {
  let answers: Answers = () => undefined;
  let source: BrowserSource;
  let ways: (use: BrowserUse) => PageSource;
  const folder = temporaryFolder();
  const shared = sharedByFile();
  before(async () => {
    const site = await browserSite(shared, folder, (request) => answers(request));
    source = siteByBrowser(shared, site, { limits: { ...visitLimits, scriptsMs: 4000, gestureMs: 2000 } });
    ways = siteBothWays(shared, site, source);
  });

  /** The endpoint's sample, served by the site behind a wall, if any. */
  async function serve(endpoint: Endpoint, wall?: Wall): Promise<{ one: Case; plain: unknown }> {
    const [one] = await casesOf(endpoint);
    if (one === undefined) throw new Error(endpoint.path);
    const exchanges: Exchange[] = [];
    const pages = noting(routeSource(fixturesOf(endpoint), one.pages), exchanges);
    const plain = await pagesOf(endpoint, one, pages, 1);
    const open = recordedSite(exchanges);
    answers = (request) => {
      if (request.path === '/api/tick') return { body: '1' };
      if (wall === undefined || request.cookie.includes('passed=yes')) return open(request);
      return wall(request);
    };
    return { one, plain };
  }

  const outcome = (endpoint: Endpoint, one: Case, use: BrowserUse) =>
    pagesOf(endpoint, one, ways(use), 1).catch((error: unknown) => {
      if (error instanceof ExtractError) return error.code;
      throw error;
    });

  for (const [name, endpointPath, code, answer, leadsOn] of walls) {
    const comesTo = leadsOn ? 'the browser’s answer' : code;
    test(`${endpointPath}, ${name}: plainly ${code}, with a browser ${comesTo}`, async () => {
      const endpoint = endpointAt(endpointPath);
      const { one, plain } = await serve(endpoint, answer);
      assert.equal(await outcome(endpoint, one, 'never'), code);
      const visitsBefore = source.counts.started;
      assert.deepEqual(await outcome(endpoint, one, 'auto'), leadsOn ? plain : code);
      assert.equal(source.counts.started, visitsBefore + 1);
    });
  }

  test('a consent dialog is rejected by both ways, which return the same answer', async () => {
    const endpoint = endpointAt(place);
    const { one, plain } = await serve(endpoint, (request) => consent(request, true));
    for (const use of ['never', 'auto', 'always'] as const) {
      assert.deepEqual(await outcome(endpoint, one, use), plain, use);
    }
  });

  test('without a wall both ways return the same answer, and the browser is not used first', async () => {
    for (const endpointPath of [shortvideo, pronetwork, photosocial, place]) {
      const endpoint = endpointAt(endpointPath);
      const { one, plain } = await serve(endpoint);
      const visitsBefore = source.counts.started;
      assert.deepEqual(await outcome(endpoint, one, 'never'), plain, endpointPath);
      assert.deepEqual(await outcome(endpoint, one, 'auto'), plain, endpointPath);
      assert.equal(source.counts.started, visitsBefore, endpointPath);
      assert.deepEqual(await outcome(endpoint, one, 'always'), plain, endpointPath);
      assert.ok(source.counts.started > visitsBefore, endpointPath);
    }
  });
});
