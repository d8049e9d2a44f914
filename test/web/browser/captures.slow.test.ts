import assert from 'node:assert/strict';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { firstPosition } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import type { BrowserSource } from '../../../lib/web/browser/browser-source.js';
import type { PageSource } from '../../../lib/web/page-source.js';
import { routeSource } from '../../../lib/web/routes.js';
import {
  type Answers,
  browserSite,
  noBrowser,
  sharedByFile,
  siteByBrowser,
} from '../../support/browser-site.js';
import { stoppedClock } from '../../support/cases.js';
import { type Exchange, noting, recordedSite } from '../../support/recorded-site.js';
import { withoutCaptures } from '../../support/replay.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const placeId = 'ChIJDdnwdv0y5xQRRytw1ihZQeU';

/** A real page, and the call that it answers. */
const captures: readonly (readonly [endpoint: string, params: Record<string, string>, file: string])[] = [
  ['shortvideo/profile', { username: 'illojuan' }, 'shortvideo/profile_page_2025-12_illojuan.raw.html'],
  [
    'shortvideo/video',
    { id: '7571863205253778710' },
    'shortvideo/video_page_2025-12_illojuan_7571863205253778710.raw.html',
  ],
  ['shortvideo/profile', { username: 'nasa' }, 'shortvideo/waf_please_wait_2026-09.html'],
  [
    'pronetwork/profile',
    { vanity_name: 'williamhgates' },
    'pronetwork/profile-williamhgates-2026-07-en.html',
  ],
  ['pronetwork/profile', { vanity_name: 'satyanadella' }, 'pronetwork/profile-satyanadella-2026-07-en.html'],
  [
    'pronetwork/profile',
    { vanity_name: 'guidovanrossum' },
    'pronetwork/profile-guidovanrossum-2026-07-en-blurred.html',
  ],
  ['pronetwork/profile', { vanity_name: 'nobody' }, 'pronetwork/notfound-profile-2024-06-en.html'],
  ['pronetwork/profile', { vanity_name: 'nobody' }, 'pronetwork/block-guest-homepage-2024-06.html'],
  [
    'pronetwork/company',
    { url: 'https://www.linkedin.com/company/audiense' },
    'pronetwork/company-audiense-2024-10-en.html',
  ],
  ['photosocial/profile', { username: 'natgeo' }, 'photosocial/x26_profile_page_natgeo.html'],
  ['photosocial/profile', { username: 'natgeo' }, 'photosocial/x26_login_wall_page.html'],
  ['photosocial/profile', { username: 'natgeo' }, 'photosocial/x26_not_found_page.html'],
  ['photosocial/profile', { username: 'natgeo' }, 'photosocial/x26_throttled_profile_page.html'],
  [
    'maps/place',
    { place_id: placeId, language: 'el' },
    'maps/gosom_place_kipriakon-limassol_2024-10_el.json',
  ],
  ['maps/places', { query: 'coffee in Athens' }, 'maps/gosom_search_coffee-athens_2024-12_en.json'],
  ['photosocial/profile', { username: 'guru' }, 'photosocial/error_route_2026-01_guru.html'],
  ['photosocial/profile', { username: 'cheffone' }, 'photosocial/embed_2026-07_cheffone_error-route.html'],
  [
    'photosocial/profile',
    { username: 'ulsaninsta' },
    'photosocial/profile_page_2026-01_ulsaninsta_meta-only.html',
  ],
  [
    'photosocial/post',
    { shortcode: 'DQwT90GjOcG' },
    'photosocial/post_page_2025-11_beginveganbegun_DQwT90GjOcG_meta-only.html',
  ],
  ['photosocial/post', { shortcode: 'DdG4RIxIPyf' }, 'photosocial/x26_post_page_reel_natgeo.html'],
  ['photosocial/post', { shortcode: 'DdG4RIxIPyf' }, 'photosocial/x26_throttled_post_page.html'],
  ['photosocial/posts', { username: 'natgeo' }, 'photosocial/x26_profile_page_natgeo.html'],
  ['photosocial/comments', { shortcode: 'DdG4RIxIPyf' }, 'photosocial/x26_post_page_reel_natgeo.html'],
  [
    'shortvideo/video',
    { id: '7585124257601162516' },
    'shortvideo/mobile_reflow_2026-01_7585124257601162516.html',
  ],
  ['pronetwork/profile', { vanity_name: 'donotavio' }, 'pronetwork/profile_2026-01_donotavio_br_jsonld.html'],
  ['pronetwork/profile', { vanity_name: 'nobody' }, 'pronetwork/block-js-cookie-challenge-2024-06.html'],
  ['pronetwork/jobs', { query: 'rust' }, 'pronetwork/jobs-searchpage-rust-sfbay-2026-01-en.html'],
  ['maps/place', { place_id: placeId }, 'maps/page_2026-03_alleya-mebeli_ru_shell.html'],
  [
    'maps/place',
    { place_id: placeId, language: 'en' },
    'maps/gosom_place_island-beach-bar-latsi_unclaimed_no-hours.json',
  ],
  ['maps/reviews', { place_id: placeId }, 'maps/kit_reviews_boq_trimmed-2-rows_bengaluru_2026-07.json'],
];

describe('a real page reads the same by a browser as plainly', {
  skip: noBrowser || withoutCaptures(),
}, () => {
  let answers: Answers = () => undefined;
  let source: BrowserSource;
  const folder = temporaryFolder();
  const shared = sharedByFile();
  before(async () => {
    const site = await browserSite(shared, folder, (request) => answers(request));
    source = siteByBrowser(shared, site);
  });

  /** What a source comes to: the data, or the code of its error. */
  async function outcome(name: string, params: Record<string, string>, pages: PageSource) {
    const endpoint = endpoints.find(({ path: one }) => one === name);
    if (endpoint === undefined) throw new Error(name);
    const request = { endpoint, identity: endpoint.identify(params), position: firstPosition, limit: 20 };
    try {
      const { answer } = await fetchAnswer(request, pages, stoppedClock);
      return JSON.parse(answer.data) as unknown;
    } catch (error) {
      if (!(error instanceof ExtractError)) throw error;
      return error.code;
    }
  }

  for (const [name, params, file] of captures) {
    test(`${name}: ${file}`, async () => {
      const exchanges: Exchange[] = [];
      const isPage = file.endsWith('.html');
      const pages = routeSource(path.join(packageRoot(), '..', 'shared', 'captures'), [
        {
          pattern: '.',
          method: 'GET',
          file,
          headers: { 'content-type': `${isPage ? 'text/html' : 'application/json'}; charset=utf-8` },
        },
        { pattern: '.', method: 'POST', status: 401, body: '{}' },
      ]);
      const plain = await outcome(name, params, noting(pages, exchanges));
      answers = recordedSite(exchanges);
      assert.deepEqual(await outcome(name, params, source), plain);
    });
  }
});
