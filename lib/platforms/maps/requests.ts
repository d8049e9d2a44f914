import type { PageRequest } from '../../web/page-source.js';
import type { FeatureId } from './ids.js';
import { double, int, m, type ProtobufPart, pb, string } from './protobuf.js';
import { galleryFlags, placeMask, searchMask } from './response-masks.js';

const home = 'https://www.google.com';

/** Languages that the platform knows under a longer name than two letters. */
const longerNames: Readonly<Record<string, string>> = { zh: 'zh-CN' };
const hl = (language: string) => encodeURIComponent(longerNames[language] ?? language);

/** A point of view: the platform prefers what is near it, and still answers with what is farther off. */
export interface Camera {
  readonly lat: number;
  readonly lng: number;
  /** Metres around the point that are to be in view. */
  readonly radius: number;
}

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

/** Rows of a page of search results, and how far the next page is. */
export const searchPage = 20;

/** A page of search results, from row `offset` on. */
export function searchRequest(
  query: string,
  language: string,
  country: string | null,
  camera: Camera | null,
  offset: number,
): PageRequest {
  const parameters = pb([
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
  };
}

/** The body of a place's page. */
export function placeRequest(id: FeatureId, language: string): PageRequest {
  const parameters = pb([m(1, string(1, id)), ...placeMask]);
  return {
    url: `${home}/maps/preview/place?authuser=0&hl=${hl(language)}&pb=${encodeURIComponent(parameters)}`,
    headers: { 'accept-language': hl(language) },
  };
}

/** The page that a cid leads to: its address or its text names the whole feature id. */
export function cidRequest(cid: string): PageRequest {
  return { url: `${home}/maps?cid=${cid}&hl=en` };
}

export const sorts = ['relevant', 'newest', 'highest', 'lowest'] as const;
export type Sort = (typeof sorts)[number];

/** A page of reviews: the list that the review window of search results asks for. */
export function reviewsRequest(id: FeatureId, sort: Sort, token: string, size: number): PageRequest {
  const parameters: unknown[] = Array.from({ length: 24 }, () => null);
  parameters[1] = sorts.indexOf(sort) + 1;
  parameters[9] = size;
  parameters[11] = [id];
  // Kinds of reactions that are to be counted.
  parameters[16] = [1, 1, null, [[3], [4], [5], [6], [7]]];
  parameters[19] = token;
  parameters[23] = 0;
  const all = [null, [...Array.from({ length: 9 }, () => null), parameters]];
  return {
    url: `${home}/httpservice/web/PrivateLocalSearchUiDataService/GetLocalBoqProxy?hl=en&msc=gwsrpc&reqpld=${encodeURIComponent(JSON.stringify(all))}`,
  };
}

/** The call of the gallery's own list. */
export const galleryCall = 'hspqX';
const photosAPage = 20;

/** A later page of the gallery. */
export function galleryRequest(id: FeatureId, token: string): PageRequest {
  const none = (length: number) => Array.from({ length }, () => null);
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
    [null, ...none(5), 81, ...none(7), 16698],
    ...none(9),
    [null, 1, null, 1],
  ];
  const parameters = [2, null, [id, ...none(7), 0, ...none(5), null], null, view];
  const calls = [[[galleryCall, JSON.stringify(parameters), null, 'generic']]];
  return {
    url: `${home}/maps/_/MapsWizUi/data/batchexecute?rpcids=${galleryCall}&source-path=/maps&hl=en&_reqid=100000&rt=c`,
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      'x-same-domain': '1',
    },
    body: new URLSearchParams({ 'f.req': JSON.stringify(calls) }).toString(),
  };
}
