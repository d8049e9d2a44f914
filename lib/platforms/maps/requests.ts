import type { PageRequest, PageRequestByScript } from '../../web/page-source.js';
import { cidOf, type FeatureId } from './ids.js';
import { double, int, m, type ProtobufPart, protobufText, string } from './protobuf.js';
import { guard } from './response-frame.js';
import { galleryFlags, placeMask, searchMask } from './response-masks.js';

const home = 'https://www.google.com';

/** Languages for which the platform uses a longer code than two letters. */
const longerNames: Readonly<Record<string, string>> = { zh: 'zh-CN' };
const hl = (language: string) => encodeURIComponent(longerNames[language] ?? language);

/** A point of view: the platform prefers what is near it, but also returns what is farther away. */
export type Camera = {
  readonly lat: number;
  readonly lng: number;
  /** Metres around the point that should be in view. */
  readonly radius: number;
};

/** Metres above ground from which a window of 768 pixels and 13.1 degrees shows a radius: r / tan(6.55°). */
const altitude = (radius: number) => Math.round(radius / Math.tan((13.1 / 2) * (Math.PI / 180)));

function cameraGroup({ lat, lng, radius }: Camera): ProtobufPart {
  return m(
    4,
    m(1, double(1, altitude(radius)), double(2, lng), double(3, lat)),
    m(3, '1i1024', '2i768'),
    '4f13.1',
  );
}

/** Zoom level of a search page, from 2 (half the earth) upwards. The window shows the radius across its width. */
const zoom = ({ lat, radius }: Camera) =>
  Math.max(
    2,
    Math.round(Math.log2((40_075_016 * Math.cos((lat * Math.PI) / 180) * 1024) / (256 * 2 * radius))),
  );

export function searchPageUrl(
  query: string,
  language: string,
  country: string | null,
  camera: Camera | null,
) {
  const view = camera === null ? '' : `/@${camera.lat},${camera.lng},${zoom(camera)}z`;
  const region = country === null ? '' : `&gl=${country}`;
  return `${home}/maps/search/${encodeURIComponent(query)}${view}?hl=${hl(language)}${region}`;
}

const placePageUrl = (id: FeatureId, language: string) =>
  `${home}/maps/place/data=!4m2!3m1!1s${id}?hl=${hl(language)}`;

/** Rows of a page of search results. */
export const searchPage = 20;

/** Requests a page of search results from row `offset`. */
export function searchRequest(
  query: string,
  language: string,
  country: string | null,
  camera: Camera | null,
  offset: number,
): PageRequest {
  const parameters = protobufText([
    string(1, query),
    ...(camera === null ? [] : [cameraGroup(camera)]),
    int(7, searchPage),
    ...(offset === 0 ? [] : [int(8, offset)]),
    '10b1',
    ...searchMask,
  ]);
  const region = country === null ? '' : `&gl=${country}`;
  return {
    url: `${home}/search?tbm=map&authuser=0&hl=${hl(language)}${region}&q=${encodeURIComponent(query)}&pb=${encodeURIComponent(parameters)}`,
    headers: { 'accept-language': hl(language) },
    browser: {
      pageRequest: {
        page: searchPageUrl(query, language, country, camera),
        paths: ['/search'],
        params: { tbm: 'map', q: query },
        ...(offset === 0 ? {} : { from: { carries: [`!8i${offset}!`] } }),
        later: /!7i\d+!8i[1-9]/,
        embedded: { begins: guard, carries: [`[[${JSON.stringify(query)}`] },
        gestures: { scroll: '[role="feed"]' },
      },
    },
  };
}

export function placeRequest(id: FeatureId, language: string): PageRequest {
  const parameters = protobufText([m(1, string(1, id)), ...placeMask]);
  return {
    url: `${home}/maps/preview/place?authuser=0&hl=${hl(language)}&pb=${encodeURIComponent(parameters)}`,
    headers: { 'accept-language': hl(language) },
    browser: {
      pageRequest: {
        page: placePageUrl(id, language),
        paths: ['/maps/preview/place'],
        carries: [id],
        embedded: { begins: guard, carries: [`${id.slice(id.indexOf(':'))}"`] },
      },
    },
  };
}

/** Requests the page for a cid, whose address or text contains the complete feature id. */
export function cidRequest(cid: string): PageRequest {
  return { url: `${home}/maps?cid=${cid}&hl=en` };
}

export const sorts = ['relevant', 'newest', 'highest', 'lowest'] as const;
export type Sort = (typeof sorts)[number];

/** Names of the sort orders in the review window of search results. */
const sortIds = {
  relevant: 'qualityScore',
  newest: 'newestFirst',
  highest: 'ratingHigh',
  lowest: 'ratingLow',
} as const;

/**
 * Returns how to recognise the request for the list, which search results send when a place's review window is open.
 */
function requestedByReviewWindow(id: FeatureId, sort: Sort, token: string): PageRequestByScript {
  const scroll = '.review-dialog-list';
  return {
    page: `${home}/search?hl=en&q=${cidOf(id)}&ludocid=${cidOf(id)}#lrd=${id},1,,,`,
    paths: ['/httpservice/web/PrivateLocalSearchUiDataService/GetLocalBoqProxy'],
    carries: [id],
    ...(token === '' ? {} : { from: { carries: [token] } }),
    // No other string in the request is as long as a token.
    later: /"[\w+/=-]{40}/,
    gestures:
      sort === 'relevant'
        ? { scroll }
        : { open: [`[data-sort-id="${sortIds[sort]}"]`], restarts: true, scroll },
  };
}

/** Requests a page of reviews: the list behind the review window of search results. */
export function reviewsRequest(id: FeatureId, sort: Sort, token: string, size: number): PageRequest {
  const parameters: unknown[] = Array.from({ length: 24 }, () => null);
  parameters[1] = sorts.indexOf(sort) + 1;
  parameters[9] = size;
  parameters[11] = [id];
  // Kinds of reactions to count.
  parameters[16] = [1, 1, null, [[3], [4], [5], [6], [7]]];
  parameters[19] = token;
  parameters[23] = 0;
  const all = [null, [...Array.from({ length: 9 }, () => null), parameters]];
  return {
    url: `${home}/httpservice/web/PrivateLocalSearchUiDataService/GetLocalBoqProxy?hl=en&msc=gwsrpc&reqpld=${encodeURIComponent(JSON.stringify(all))}`,
    browser: { pageRequest: requestedByReviewWindow(id, sort, token) },
  };
}

const batchRequest = (id: string, call: string, parameters: unknown): PageRequest => ({
  url: `${home}/maps/_/MapsWizUi/data/batchexecute?rpcids=${id}&source-path=/maps&hl=en&_reqid=100000&rt=c`,
  method: 'POST',
  headers: {
    'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
    'x-same-domain': '1',
  },
  body: new URLSearchParams({
    'f.req': JSON.stringify([[[call, JSON.stringify(parameters), null, 'generic']]]),
  }).toString(),
});

const none = (length: number) => Array.from({ length }, () => null);

/** Describes the page that sends a call; `visit` identifies it. */
const contextOf = (visit: string | null) => [visit, ...none(5), 81, ...none(7), 16698];

/** The call that counts a place's ratings: its ID, and its full name. */
export const ratingCountsCalls = ['EzgPT', '/MapsUgcPostService.GetPlaceUgcPostAggregates'] as const;

export const ratingCountsRequest = (id: FeatureId, visit: string): PageRequest =>
  batchRequest(ratingCountsCalls[0], ratingCountsCalls[1], [id, contextOf(visit)]);

/** The call for the gallery's own list. */
export const galleryCall = 'hspqX';
const photosAPage = 20;

export function galleryRequest(id: FeatureId, token: string): PageRequest {
  const view = [
    null,
    [203, 100],
    [null, photosAPage, token, null, 1],
    ...none(3),
    galleryFlags,
    null,
    0,
    ...none(5),
    [[[[[[2]]], [195, 195], photosAPage]]],
    contextOf(null),
    ...none(9),
    [null, 1, null, 1],
  ];
  const parameters = [2, null, [id, ...none(7), 0, ...none(5), null], null, view];
  return {
    ...batchRequest(galleryCall, galleryCall, parameters),
    browser: {
      pageRequest: {
        page: placePageUrl(id, 'en'),
        paths: ['/maps/_/MapsWizUi/data/batchexecute'],
        carries: [galleryCall],
        from: { carries: [token] },
        // The picture at the top opens the gallery.
        gestures: { open: ['button[jsaction*="heroHeaderImage"]'], scroll: '[role="main"] [tabindex="-1"]' },
      },
    },
  };
}
