import { refusal } from '../../../errors/outcomes.js';
import type { ObjectReading, Route } from '../../../routes/route.js';
import { readDetail } from '../detail.js';
import { fetchPastConsent } from '../fetch-past-consent.js';
import { samePlace } from '../ids.js';
import { sourceOfPlace } from '../item-sources.js';
import { featureIdOfNode } from '../listing.js';
import type { MapsPlaceDetail } from '../objects.js';
import { searchRequest } from '../requests.js';
import { searchNodes } from '../search-rows.js';
import type { PlaceInLanguage } from './place-data.js';

/** Metres around the place that the search covers. */
const radius = 500;

/** A place among the results of a search for its name and address. */
export const focusedSearch: Route<PlaceInLanguage, ObjectReading<MapsPlaceDetail>> = {
  name: 'focused-search',
  reads: 'The row of the place in a search for its name and address.',
  surface: 'page',
  seen: { month: '2025-11', from: [] },
  fills: {
    user_ratings_total: 'some',
    rating_distribution: 'never',
    price_level: 'some',
    popular_times: 'some',
    about: 'some',
    is_claimed: 'some',
  },
  async read({ identity: { id, language }, session, merged }) {
    const { name, formatted_address = null, location = null } = (merged ?? {}) as Partial<MapsPlaceDetail>;
    if (name === undefined)
      throw refusal('subject_without_data', 'The place cannot be searched, because its name is unknown.');
    const query = formatted_address === null ? name : `${name}, ${formatted_address}`;
    const camera = location === null ? null : { ...location, radius };
    const root = await fetchPastConsent(session, searchRequest(query, language, null, camera, 0));
    const node = searchNodes(root, query).nodes.find((one) => {
      const featureId = featureIdOfNode(one);
      return featureId !== null && samePlace(featureId, id);
    });
    if (node === undefined) throw refusal('unknown_layout', 'The search for the place does not show it.');
    const data = readDetail(node);
    return { data, source: sourceOfPlace(data) };
  },
};
