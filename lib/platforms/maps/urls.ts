import { ExtractError, invalidParameter } from '../../errors/extract-error.js';
import { parseWebAddress } from '../../params/web-address.js';
import {
  cid,
  cidOf,
  cidOfBusinessLink,
  type FeatureId,
  featureId,
  featureIdOf,
  isHalf,
  placeIdOf,
} from './ids.js';

/**
 * What a `place_id` or `url` means offline: the place's ID, or a cid or short link that takes one request to resolve.
 * Part of the identity. All spellings of a place share a cache entry if they can be recognised offline.
 */
export type PlaceKey = { readonly id: string } | { readonly cid: string } | { readonly link: string };

const otherKind = 'IDs of addresses, routes and areas lead to no business page.';

const spot = 'names a spot, not a place: maps/places finds what is there by query, latitude and longitude.';

/** Forms that identify a location but no place, and what to use instead. */
const spots: readonly (readonly [form: RegExp, says: string])[] = [
  [/^(?:[23456789CFGHJMPQRVWX]{2}){2,4}\+[23456789CFGHJMPQRVWX]{0,7}(?:[\s,]|$)/i, `A plus code ${spot}`],
  [
    /^(?:geo:)?\s*-?\d{1,2}(?:\.\d+)?\s*,\s*-?\d{1,3}(?:\.\d+)?\s*(?:[?;]|$)/i,
    `A pair of coordinates ${spot}`,
  ],
];

const wrongSpot = (text: string) => {
  const advice = spots.find(([form]) => form.test(text.trim()))?.[1];
  return advice === undefined ? '' : `${advice} `;
};

/** Returns the key of an ID: ChIJ…, 0x…:0x…, or a cid, which has 12 to 20 digits. Null for others. */
function keyOfId(text: string): PlaceKey | null {
  const id = text.trim();
  const number = /^\d{12,}$/.test(id) ? cid(id) : null;
  return number === null ? keyOfFeature(featureIdOf(id) ?? featureId(id)) : { cid: number };
}

/** True for text like an ID: any long word with a digit. */
const longWord = /^(?:ChIJ|(?=.*\d)[\w-]{16,}$)/;

/** True for words that name a place, where an ID is expected. */
export const isPlaceName = (text: string): boolean =>
  /\p{L}{2}/u.test(text) &&
  !text.split(/\s+/).some((word) => longWord.test(word)) &&
  wrongSpot(text) === '' &&
  parseWebAddress(text) === null &&
  keyOfId(text) === null;

/** Returns the key of a `place_id`. Throws `invalid_parameter` for an id of another kind. */
export function keyOfPlaceId(text: string): PlaceKey {
  const key = keyOfId(text);
  if (key !== null) return key;
  throw invalidParameter(
    isPlaceName(text)
      ? `${JSON.stringify(text)} is a name, not a place_id; maps/places finds the IDs of a name.`
      : `${wrongSpot(text)}The parameter place_id must be an ID of the form ChIJ… (27 characters), an ID 0x…:0x… or a cid (12 to 20 digits). ${otherKind}`,
  );
}

function keyOfFeature(id: FeatureId | null): PlaceKey | null {
  if (id === null) return null;
  if (isHalf(id)) return cidOf(id) === '0' ? null : { cid: cidOf(id) };
  return { id: placeIdOf(id) };
}

const siteHost = /^(?:(?:www|maps|search|local|consent)\.)?google\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/;

/** Short links: host, and the form of the path. */
const shortLinks: readonly (readonly [host: string, path: RegExp])[] = [
  ['maps.app.goo.gl', /^\/[\w-]+\/*$/],
  ['goo.gl', /^\/maps\/[\w-]+\/*$/],
  ['g.co', /^\/kgs\/[\w-]+\/*$/],
  ['g.page', /^\/(?!r\/)[\w-]+(?:\/review)?\/*$/],
  ['share.google', /^\/[\w-]+\/*$/],
];

export const isOfPlatform = (host: string) =>
  siteHost.test(host) || shortLinks.some(([link]) => link === host);

/** The link that businesses share, to their page or to write a review; it contains the cid. */
const businessLink = /^\/r\/([\w-]+)(?:\/review)?\/*$/;

/** Parameters with a place's place_id, feature id or cid. */
const placeIdParameters = ['query_place_id', 'destination_place_id', 'place_id', 'placeid'];
/** `lrd` continues after a comma. */
const featureIdParameters = ['ftid', 'lrd'];
const cidParameters = ['cid', 'ludocid'];

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns the place in a page's path. In `data=`, feature ids appear as `!1s0x…`; if there are several, the last one in
 * a group 3 (`!3m…!1s0x…`) is the place shown. `!19s` holds the place_id itself, as on the page of a person's review.
 */
function keyInPath(path: string): PlaceKey | null {
  if (path.startsWith('/maps/dir/')) return keyInDirections(path);
  if (!/^\/maps\/(?:place|preview\/place|search|reviews|contrib|embed|@|data=)/.test(path)) return null;
  const text = decodeText(path);
  const inGroup = [...text.matchAll(/!3m\d+!1s(0x[0-9a-f]+:0x[0-9a-f]+)/gi)].at(-1);
  const anywhere = [...text.matchAll(/(?:!1s|\/)(0x[0-9a-f]+:0x[0-9a-f]+)/gi)].at(-1);
  const placeId = /(?:!19s|\/place\/)(ChIJ[\w-]{23})(?![\w-])/.exec(text)?.[1];
  return (
    keyOfFeature(featureId((inGroup ?? anywhere)?.[1])) ??
    (placeId === undefined ? null : keyOfFeature(featureIdOf(placeId)))
  );
}

/** Directions without a start (`/maps/dir//…`), which lead to their only place. */
function keyInDirections(path: string): PlaceKey | null {
  if (!path.startsWith('/maps/dir//')) return null;
  const ids = [...decodeText(path).matchAll(/!1s(0x[0-9a-f]+:0x[0-9a-f]+)/gi)].map(([, id]) => featureId(id));
  return new Set(ids).size === 1 ? keyOfFeature(ids[0] ?? null) : null;
}

function keyInQuery(query: URLSearchParams): PlaceKey | null {
  const queryText = query.get('q') ?? '';
  const placeIds = [
    ...placeIdParameters.map((name) => query.get(name)),
    /^place_id:(.+)$/.exec(queryText)?.[1],
  ];
  for (const placeId of placeIds) {
    const key = placeId ? keyOfFeature(featureIdOf(placeId.trim())) : null;
    if (key !== null) return key;
  }
  for (const name of featureIdParameters) {
    const key = keyOfFeature(featureId(query.get(name)?.split(',')[0]));
    if (key !== null) return key;
  }
  for (const name of cidParameters) {
    const number = cid(query.get(name) ?? '');
    if (number !== null) return { cid: number };
  }
  return null;
}

/**
 * Returns the key in a page's address, or null. `depth` bounds addresses inside addresses (consent wall, long links).
 */
export function keyInAddress(text: string, depth = 0): PlaceKey | null {
  const url = parseWebAddress(text);
  if (url === null || depth > 2) return null;
  const business = url.hostname === 'g.page' ? businessLink.exec(url.pathname)?.[1] : undefined;
  if (business !== undefined) {
    const number = cidOfBusinessLink(business);
    return number === null ? null : { cid: number };
  }
  for (const [host, path] of shortLinks) {
    if (url.hostname !== host) continue;
    const inside = url.searchParams.get('link');
    if (inside !== null) return keyInAddress(inside, depth + 1);
    return path.test(url.pathname)
      ? { link: `https://${host}${url.pathname.replace(/(?<!\/)\/+$/, '')}` }
      : null;
  }
  if (!siteHost.test(url.hostname)) return null;
  const inside = url.searchParams.get('continue');
  if (inside !== null) return keyInAddress(inside, depth + 1);
  return (
    keyInQuery(url.searchParams) ??
    // The review panel next to a search is in the fragment.
    keyInQuery(new URLSearchParams(url.hash.slice(1))) ??
    // An embedded map has its data in a parameter.
    keyInPath(url.pathname + (url.searchParams.get('pb') ?? ''))
  );
}

/** Returns the key of a `url`. Throws `invalid_url` for an address that identifies no place. */
export function keyOfUrl(text: string): PlaceKey {
  const key = keyInAddress(text) ?? keyOfId(text);
  if (key === null) {
    throw new ExtractError(
      'invalid_url',
      `${wrongSpot(text)}The url must be the page of a place on the map, with its ID in it (…/maps/place/…/data=…, ?cid=…, ?q=place_id:ChIJ…) or a link to it (maps.app.goo.gl, g.page, g.co/kgs, share.google). ${otherKind}`,
    );
  }
  return key;
}

export function keyOf(placeId: string | undefined, url: string | undefined): PlaceKey {
  return placeId === undefined ? keyOfUrl(url ?? '') : keyOfPlaceId(placeId);
}
