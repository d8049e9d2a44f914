import { ExtractError } from '../../errors/extract-error.js';
import { outcomes, refusal } from '../../errors/outcomes.js';
import { refuseByStatus } from '../../read/refusal.js';
import type { Page, PageSession } from '../../web/page-source.js';
import { fetchPagePastConsent, passConsentWall } from './fetch-past-consent.js';
import { cidOf, type FeatureId, featureId, featureIdOf, hexOfCid } from './ids.js';
import { refuseRequest, refuseVisitor, withoutData } from './outcome.js';
import { cidRequest } from './requests.js';
import { isOfPlatform, keyInAddress, type PlaceKey } from './urls.js';

/** Returns the key in a page's final address, or in the address it redirects to. */
function keyOfPage(page: Page): PlaceKey | null {
  const key = keyInAddress(page.url);
  if (key !== null && !('link' in key)) return key;
  const location = page.status >= 300 && page.status < 400 ? page.headers.location : undefined;
  const target = location === undefined ? null : keyInAddress(location);
  return target !== null && !('link' in target) ? target : null;
}

/** Returns the feature ID with that cid in a page's address or text, which also contain IDs of other places. */
function featureIdWithCid(page: Page, cid: string): FeatureId | null {
  const key = keyOfPage(page);
  if (key !== null && 'id' in key) {
    const id = featureIdOf(key.id);
    if (id?.endsWith(`:${hexOfCid(cid)}`)) return id;
  }
  const pattern = new RegExp(`0x[0-9a-f]{1,16}(?:%(?:25)?3A|:)${hexOfCid(cid)}(?![0-9a-f])`, 'gi');
  for (const [text] of page.text().matchAll(pattern)) {
    const id = featureId(text.replace(/%(?:25)?3A/i, ':'));
    if (id !== null && !id.startsWith('0x0:')) return id;
  }
  return null;
}

/** True if the page that people open names the place, as a second witness against “not found”. */
export async function isNamedByItsPage(session: PageSession, id: FeatureId): Promise<boolean> {
  const cid = cidOf(id);
  const page = await fetchPagePastConsent(session, cidRequest(cid));
  // A refused page is no witness.
  refuseByStatus(page);
  return featureIdWithCid(page, cid) !== null;
}

async function resolveCid(session: PageSession, cid: string): Promise<FeatureId> {
  const page = await fetchPagePastConsent(session, cidRequest(cid));
  const id = featureIdWithCid(page, cid);
  if (id !== null) return id;
  if (page.status !== 200) refuseRequest(page, 'place_not_found');
  const namesOthers = /0x[0-9a-f]{1,16}(?::|%3A)0x[0-9a-f]{1,16}/i.test(page.text());
  throw refusal(
    namesOthers ? 'unknown_layout' : 'shell',
    `The page of the cid ${cid} does not contain that place.`,
  );
}

/** Parts of the map that are not a place: a view, directions, a search, a person's contributions. */
const otherParts = /^\/maps\/(?:@|dir\/|search\/|contrib\/)/;

/**
 * Returns the error for a link without a place: dead, off the platform, or to another part of the map. A page that
 * shows a place by name, or a redirect that was not followed, proves nothing.
 */
function withoutPlace(page: Page): ExtractError {
  const { location } = page.headers;
  const end = new URL(page.status >= 300 && page.status < 400 && location ? location : page.url, page.url);
  if (page.status === 404 || !isOfPlatform(end.hostname) || otherParts.test(end.pathname)) {
    return new ExtractError('place_not_found', 'The link does not lead to a place on the map.');
  }
  return new ExtractError(
    outcomes.unknown_layout.code,
    `The link leads to ${end.hostname}${end.pathname}, which does not say which place it shows.`,
    { next: 'Open it, and use the URL of the place’s own page.' },
  );
}

async function resolveLink(session: PageSession, link: string): Promise<PlaceKey> {
  const request = { url: link };
  const page = await session.fetch(request);
  // The consent wall contains the address behind it, so it need not be passed.
  const key = keyOfPage(page);
  if (key !== null) return key;
  const pageBehindWall = await passConsentWall(session, request, page);
  refuseVisitor(pageBehindWall);
  if (pageBehindWall.status >= 400 && pageBehindWall.status !== 404) refuseRequest(pageBehindWall);
  const keyBehindWall = keyOfPage(pageBehindWall);
  if (keyBehindWall !== null) return keyBehindWall;
  // A page instead of the redirect is a shell, which does not prove that the link is dead.
  if (pageBehindWall.status === 200 && pageBehindWall.url === link) throw withoutData(pageBehindWall);
  throw withoutPlace(pageBehindWall);
}

/**
 * Resolves the feature id. A cid and a short link take one request each; a link is followed only within the platform's
 * hosts. Throws `place_not_found` for a link elsewhere.
 */
export async function resolveFeatureId(session: PageSession, key: PlaceKey): Promise<FeatureId> {
  if ('link' in key) return resolveFeatureId(session, await resolveLink(session, key.link));
  if ('cid' in key) return resolveCid(session, key.cid);
  const id = featureIdOf(key.id);
  if (id === null) throw new Error(`${key.id} is no place_id`);
  return id;
}
