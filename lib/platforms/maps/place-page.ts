import { ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
import { valueAt } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { PageSession } from '../../web/page-source.js';
import { fetchPastConsent } from './fetch-past-consent.js';
import { type FeatureId, samePlace } from './ids.js';
import { featureIdOfNode } from './listing.js';
import { placeNode } from './paths.js';
import { placeRequest } from './requests.js';
import { isNamedByItsPage } from './resolve.js';
import { type RetriedAnswer, retryThinPage } from './retry-thin-page.js';
import { isThin } from './thin-page.js';

/** Returns the place node of a body's root. Throws if it is about another place. */
function placeNodeOf(root: readonly unknown[], id: FeatureId): unknown {
  const candidate = valueAt(root, placeNode);
  const node = requireValue(Array.isArray(candidate) ? candidate : null, 'a place');
  const placeId = requireValue(featureIdOfNode(node), 'the ID of its place');
  if (!samePlace(placeId, id)) {
    throw new ExtractError('platform_changed', `The page is about the place ${placeId}, not ${id}.`);
  }
  return node;
}

/** True for a node that names the place without any of its data. */
function isBare(node: unknown): boolean {
  const facts = Array.isArray(node) ? node.filter((value) => value !== null && value !== undefined) : [];
  return facts.length === 1 && featureIdOfNode(node) !== null;
}

/** Fetches the body of a place's page. “Not found” holds unless the page that people open names the place. */
async function fetchPlaceBody(session: PageSession, id: FeatureId, language: string, afterMs: number) {
  try {
    return await fetchPastConsent(session, { ...placeRequest(id, language), afterMs }, 'place_not_found');
  } catch (error) {
    const isMissing = error instanceof ExtractError && error.code === 'place_not_found';
    if (!isMissing || !(await isNamedByItsPage(session, id))) throw error;
    throw refusal('unknown_layout', 'The page exists, but the data of the place is missing.');
  }
}

/** Milliseconds before further requests for a thin page. */
const pauses = [0, 3000];

/**
 * Fetches the place node of a place's page, again if it is thin. Throws `platform_restricted` for one without any of
 * its data.
 */
export async function fetchPlaceNode(
  session: PageSession,
  id: FeatureId,
  language: string,
  thin: (node: unknown) => boolean = isThin,
): Promise<RetriedAnswer<unknown>> {
  const retried = await retryThinPage(
    async (afterMs) => placeNodeOf(await fetchPlaceBody(session, id, language, afterMs), id),
    thin,
    pauses,
  );
  if (isBare(retried.answer)) {
    throw refusal('subject_without_data', 'The platform served the ID of the place and withheld the rest.');
  }
  return retried;
}
