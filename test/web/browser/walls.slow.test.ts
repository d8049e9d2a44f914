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

/** A wall shown before every page of a site until the visitor has passed it. */
interface Wall {
  readonly name: string;
  readonly endpoint: string;
  /** The code of the call that does not get past it. */
  readonly code: string;
  readonly answer: (request: SiteRequest) => SiteAnswer;
  /** True if the page's own scripts, or refusing consent, lead to the requested page. */
  readonly leadsOn: boolean;
}

const fixture = (name: string) => readFileSync(path.join('fixtures', name), 'latin1');
/** What a page does that only wants to see scripts run. */
const passAndReload = `<script>document.cookie = '${passedCookie}'; location.reload()</script>`;
const passAndShow = `<script>document.cookie = '${passedCookie}';
fetch(location.href).then((one) => one.text()).then((text) => { document.open(); document.write(text); document.close(); })</script>`;
const spinner = '<script>setInterval(() => fetch("/api/tick"), 50)</script>';
const shell = (script = '') => `<!doctype html><title>Instagram</title><div id="root"></div>${script}`;
const leadsTo =
  (address: string, page: string) =>
  ({ path: at }: SiteRequest): SiteAnswer =>
    new URL(address, 'https://x').pathname === at
      ? { body: page }
      : { status: 302, headers: { location: address } };

const walls: readonly Wall[] = [
  {
    name: 'a waiting room whose scripts lead on',
    endpoint: 'shortvideo/profile',
    code: 'platform_blocked',
    answer: () => ({ body: `<html><p class="_wafchallengeid">Please wait</p>${passAndReload}</html>` }),
    leadsOn: true,
  },
  {
    name: 'a waiting room that stays',
    endpoint: 'shortvideo/profile',
    code: 'platform_blocked',
    answer: () => ({ body: fixture('shortvideo/profile/challenge.html') }),
    leadsOn: false,
  },
  {
    name: 'a captcha',
    endpoint: 'shortvideo/profile',
    code: 'platform_blocked',
    answer: () => ({ body: fixture('shortvideo/profile/captcha.html') }),
    leadsOn: false,
  },
  {
    name: 'a login wall',
    endpoint: 'shortvideo/profile',
    code: 'platform_login_required',
    answer: leadsTo('/login?redirect=x', '<title>Log in</title>'),
    leadsOn: false,
  },
  {
    name: 'an empty page',
    endpoint: 'shortvideo/profile',
    code: 'platform_blocked',
    answer: () => ({ body: '' }),
    leadsOn: false,
  },
  {
    name: 'a status that asks for fewer requests',
    endpoint: 'shortvideo/profile',
    code: 'platform_rate_limited',
    answer: () => ({ status: 429 }),
    leadsOn: false,
  },
  {
    name: 'a refusal by status whose scripts lead on',
    endpoint: 'pronetwork/profile',
    code: 'platform_blocked',
    answer: () => ({ status: 999, body: `<html><head>${passAndReload}</head></html>` }),
    leadsOn: true,
  },
  {
    name: 'a refusal by status without a body',
    endpoint: 'pronetwork/profile',
    code: 'platform_blocked',
    answer: () => ({ status: 999 }),
    leadsOn: false,
  },
  {
    name: 'a sign-in wall',
    endpoint: 'pronetwork/profile',
    code: 'platform_login_required',
    answer: () => ({ body: fixture('pronetwork/profile/authwall.html') }),
    leadsOn: false,
  },
  {
    name: 'a shell that its scripts fill',
    endpoint: 'photosocial/profile',
    code: 'platform_blocked',
    answer: () => ({ body: shell(passAndShow) }),
    leadsOn: true,
  },
  {
    name: 'a shell whose spinner never stops',
    endpoint: 'photosocial/profile',
    code: 'platform_blocked',
    answer: () => ({ body: shell(spinner) }),
    leadsOn: false,
  },
  {
    name: 'a login wall',
    endpoint: 'photosocial/profile',
    code: 'platform_login_required',
    answer: leadsTo('/accounts/login/?next=x', '<title>Login</title>'),
    leadsOn: false,
  },
  {
    name: 'a question for consent that takes no “no”',
    endpoint: 'maps/place',
    code: 'platform_blocked',
    answer: (request) => consent(request, false),
    leadsOn: false,
  },
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
  async function serve(endpoint: Endpoint, wall?: Wall['answer']): Promise<{ one: Case; plain: unknown }> {
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

  for (const { name, endpoint: endpointPath, code, answer, leadsOn } of walls) {
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

  test('a question for consent is answered with “no” by both ways, which answer the same', async () => {
    const endpoint = endpointAt('maps/place');
    const { one, plain } = await serve(endpoint, (request) => consent(request, true));
    for (const use of ['never', 'auto', 'always'] as const) {
      assert.deepEqual(await outcome(endpoint, one, use), plain, use);
    }
  });

  test('none: both ways give the same answer, and the browser is not used if the plain way answers', async () => {
    for (const endpointPath of [
      'shortvideo/profile',
      'pronetwork/profile',
      'photosocial/profile',
      'maps/place',
    ]) {
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
