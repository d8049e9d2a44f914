import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import type { SiteRequest } from '../browser-site.js';
import type { WorldPlace } from './place.js';
import { json, recordedPage } from './recorded-pages.js';

/** The place. Numbered ones exist without limit. */
const place = { left: '0x476e3547ac3d37b6', right: '0xa19693887544afce' };
/** The feature ID of the place with a number. */
export const featureId = (number: number) =>
  number === 0
    ? `${place.left}:${place.right}`
    : `${place.left}:0xb${number.toString(16).padStart(6, '0')}${place.right.slice(9)}`;

const guard = ")]}'\n";
const largePage = 60;

/** The feature ID of a place with that many reviews, up to a million. */
export const reviewedPlace = (reviews: number) => featureId(0xf00000 + reviews);
/** The reviews of such a place; undefined for any other. */
function reviewsAt(id: string): number | undefined {
  const [, reviews] = /:0xbf([0-9a-f]{5})/.exec(id) ?? [];
  return reviews === undefined ? undefined : Number.parseInt(reviews, 16);
}

interface ReviewFrame {
  readonly 1: { 10: { 2: unknown[]; 6: string | null } };
}

/** A page of a long list of reviews, as large as requested, up to 60. */
function reviewsOf(query: URLSearchParams, id: string, reviews: number) {
  const fields = JSON.parse(query.get('reqpld') ?? 'null')[1][9] as unknown[];
  const file = path.join(packageRoot(), 'fixtures/maps/reviews/page-1.json');
  const text = readFileSync(file, 'utf8').replaceAll(place.right, id.slice(id.indexOf(':') + 1));
  const root = JSON.parse(text.slice(text.indexOf('[', guard.length - 1))) as ReviewFrame;
  const [sample] = root[1][10][2] as unknown[][];
  const token = String(fields[19]);
  const from = token === '' ? 0 : Number(token.slice(64));
  const end = Math.min(reviews, from + Math.min(largePage, Number(fields[9])));
  root[1][10][2] = Array.from({ length: end - from }, (_, at) => {
    const row = [...(sample ?? [])];
    row[5] = `review-${from + at}`;
    row[27] = `Review ${from + at}`;
    return row;
  });
  root[1][10][6] = end < reviews ? `CAES${'k'.repeat(60)}${end}` : null;
  return json(guard + JSON.stringify(root));
}

const featureIn = ({ query }: SiteRequest) =>
  /0x[0-9a-f]+:0x[0-9a-f]+/.exec(`${query.get('pb')} ${query.get('reqpld')}`)?.[0] ?? '';

/** The data of a place: of the first one as its photos' page shows it, too. */
function dataOf(request: SiteRequest, file: string) {
  const id = featureIn(request);
  const right = id.slice(id.indexOf(':') + 1);
  return json(recordedPage(file, { [place.right]: right }));
}

export const places: readonly WorldPlace[] = [
  {
    name: 'Google Maps place data',
    routes: ['maps/place place-data', 'maps/reviews inline-reviews', 'maps/photos gallery'],
    takes: ({ path }) => path === '/maps/preview/place',
    page: (request) =>
      dataOf(request, request.query.get('hl') === 'en' ? 'maps/photos/page-1.json' : 'maps/place/rich.json'),
    thin: (request) =>
      request.query.get('hl') === 'en' ? undefined : dataOf(request, 'maps/place/slim.json'),
    // A stub of 5 to 26 KB, or the complete page, at random.
    datacentre: 'is thin at first',
  },
  {
    name: 'Google Maps calls of a page',
    routes: ['maps/place rating-counts'],
    takes: ({ path }) => path === '/maps' || path.endsWith('/batchexecute'),
    page: ({ query }) =>
      query.get('rpcids') === 'hspqX' ? json(recordedPage('maps/photos/page-2.json')) : undefined,
  },
  {
    name: 'Google Maps reviews',
    routes: ['maps/reviews review-list'],
    takes: ({ path }) => path.endsWith('/GetLocalBoqProxy'),
    page(request) {
      const id = featureIn(request);
      const reviews = reviewsAt(id);
      if (reviews !== undefined) return reviewsOf(request.query, id, reviews);
      return json(recordedPage(`maps/reviews/page-${request.url.includes('%2C%22%22%2C') ? 1 : 2}.json`));
    },
  },
  {
    name: 'Google Maps searches',
    routes: ['maps/places search', 'maps/places search-page', 'maps/place focused-search'],
    takes: ({ host }) => host === 'www.google.com',
    page: ({ query }) =>
      json(recordedPage(`maps/places/bakeries-${(query.get('pb') ?? '').includes('!8i20') ? 2 : 1}.json`)),
  },
];
