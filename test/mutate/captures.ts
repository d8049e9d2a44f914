import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../lib/runtime/package-root.js';
import type { Route } from '../../lib/web/routes.js';

/** Real pages that public projects took; no part of the project, and maybe not there. */
export const captureFolder = path.join(packageRoot(), '..', 'shared', 'captures');

/** What a capture answers. */
export interface Capture {
  readonly endpoint: string;
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly routes: readonly Route[];
}

const google = '^https://www\\.google\\.com';
const placeBody = { pattern: `${google}/maps/preview/place` };
const search = { pattern: `${google}/search\\?tbm=map` };
const noReviews: Route = { pattern: 'GetLocalBoqProxy', status: 403 };

/** A data block in the script element that it came from. */
const inScript = (id: string, file: string) =>
  `<!DOCTYPE html><html><body><script id="${id}" type="application/json">${readFileSync(path.join(captureFolder, file), 'utf8')}</script></body></html>`;

const linkedin = (file: string, kind: 'in' | 'company', vanity: string): Route => ({
  url: `https://www.linkedin.com/${kind}/${vanity}`,
  file: `pronetwork/${file}`,
});
const instagram = (file: string, at: string): Route => ({
  url: `https://www.instagram.com/${at}/`,
  file: `photosocial/${file}`,
});
const closed: Route = { pattern: '.', status: 500 };

function table(): Capture[] {
  const rows: [endpoint: string, params: Record<string, unknown>, ...routes: Route[]][] = [];
  const hanoi = { url: 'https://www.google.com/maps?ftid=0x3135ab97b31767df:0x68fa0f477f55a7b2' };
  const limassol = { place_id: 'ChIJDdnwdv0y5xQRRytw1ihZQeU' };
  const latsi = { place_id: 'ChIJNVsWObd15xQRU3nNQXbKgH4' };
  const delhi = { ...search, file: 'maps/search_2025-08_hospitals-delhi_en.txt' };
  const athens = { ...search, file: 'maps/gosom_search_coffee-athens_2024-12_en.json' };
  rows.push(
    ['maps/places', { query: 'hospitals in delhi' }, delhi],
    ['maps/places', { query: 'coffee' }, athens],
  );
  for (const [params, file] of [
    [hanoi, 'maps/place_2025-06_hanoi.txt'],
    [limassol, 'maps/gosom_place_kipriakon-limassol_2024-10_el.json'],
    [latsi, 'maps/gosom_place_island-beach-bar-latsi_unclaimed_no-hours.json'],
  ] as const) {
    const body = { ...placeBody, file };
    rows.push(['maps/place', params, body], ['maps/photos', params, body]);
    if (params !== latsi) rows.push(['maps/reviews', params, noReviews, body]);
  }
  const boq = {
    pattern: 'GetLocalBoqProxy',
    file: 'maps/kit_reviews_boq_trimmed-2-rows_bengaluru_2026-07.json',
  };
  rows.push(['maps/reviews', { url: 'https://www.google.com/maps?ftid=0x1:0x9fe54cd44a84f1c7' }, boq]);
  for (const [file, vanity] of [
    ['profile-williamhgates-2026-07-en.html', 'williamhgates'],
    ['profile-satyanadella-2026-07-en.html', 'satyanadella'],
    ['profile_2024-03_abgargulo_se.html', 'abgargulo'],
    ['profile_2026-01_donotavio_br_jsonld.html', 'donotavio'],
  ] as const) {
    const page = linkedin(file, 'in', vanity);
    rows.push(['pronetwork/profile', { vanity_name: vanity }, page]);
    rows.push(['pronetwork/posts', { profile_url: `https://www.linkedin.com/in/${vanity}` }, page]);
  }
  for (const [file, vanity] of [
    ['company-audiense-2024-10-en.html', 'audiense'],
    ['company_2025-08_safaricom.html', 'safaricom'],
    ['company_2023-04_usebraintrust.html', 'usebraintrust'],
  ] as const) {
    const page = linkedin(file, 'company', vanity);
    rows.push(['pronetwork/company', { vanity_name: vanity }, page]);
    rows.push(['pronetwork/posts', { company_url: `https://www.linkedin.com/company/${vanity}` }, page]);
  }
  const natgeo = instagram('x26_profile_page_natgeo.html', 'natgeo');
  const reel = instagram('x26_post_page_reel_natgeo.html', 'p/DdG4RIxIPyf');
  const commented = instagram('post_2026-01_rashi_varaiya_DM5F3Vzq6TN_V1_comments.html', 'p/DM5F3Vzq6TN');
  rows.push(
    ['photosocial/profile', { username: 'natgeo' }, natgeo, closed],
    ['photosocial/posts', { username: 'natgeo' }, natgeo, closed],
    ['photosocial/post', { shortcode: 'DdG4RIxIPyf' }, reel, closed],
    ['photosocial/post', { shortcode: 'DM5F3Vzq6TN' }, commented, closed],
    ['photosocial/comments', { shortcode: 'DM5F3Vzq6TN' }, commented, closed],
    [
      'photosocial/profile',
      { username: 'ulsaninsta' },
      instagram('profile_page_2026-01_ulsaninsta_meta-only.html', 'ulsaninsta'),
      closed,
    ],
  );
  const tiktok = 'https://www.tiktok.com';
  const photo = 'shortvideo/video_page_2026-09_nasa_7681723633164717325_photo_post.scope.json';
  rows.push(
    [
      'shortvideo/profile',
      { username: 'illojuan' },
      { url: `${tiktok}/@illojuan`, file: 'shortvideo/profile_page_2025-12_illojuan.raw.html' },
    ],
    [
      'shortvideo/video',
      { id: '7571863205253778710' },
      {
        url: `${tiktok}/@_/video/7571863205253778710`,
        file: 'shortvideo/video_page_2025-12_illojuan_7571863205253778710.raw.html',
      },
    ],
    [
      'shortvideo/video',
      { id: '7681723633164717325' },
      { pattern: '7681723633164717325', body: inScript('__UNIVERSAL_DATA_FOR_REHYDRATION__', photo) },
    ],
    [
      'shortvideo/videos',
      { username: 'nasa' },
      {
        url: `${tiktok}/embed/@nasa`,
        body: inScript('__FRONTITY_CONNECT_STATE__', 'shortvideo/embed_user_page_2026-09_nasa.state.json'),
      },
      closed,
    ],
  );
  return rows.map(([endpoint, params, ...routes]) => ({
    endpoint,
    name: `captured ${Object.values(params)[0]}`,
    params,
    routes,
  }));
}

/** The captures next to the checkout, with the query for each; none if they are absent. */
export const captures = (): readonly Capture[] => (existsSync(captureFolder) ? table() : []);
