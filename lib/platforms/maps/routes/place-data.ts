import type { ObjectReading, Route } from '../../../routes/route.js';
import { readDetail } from '../detail.js';
import { sourceOfPlace } from '../item-sources.js';
import type { MapsPlaceDetail } from '../objects.js';
import { fetchPlaceNode } from '../place-page.js';
import type { PlaceSubject } from '../place-subject.js';

export type PlaceInLanguage = PlaceSubject & { readonly language: string };

/** The data that the page of a place requests. */
export const placeData: Route<PlaceInLanguage, ObjectReading<MapsPlaceDetail>> = {
  name: 'place-data',
  reads: 'The data that the page of a place requests; a thin answer is requested again, twice.',
  surface: 'page',
  seen: { month: '2026-07', from: [] },
  async read({ identity: { id, language }, session }) {
    const { answer, thin } = await fetchPlaceNode(session, id, language);
    const data = readDetail(answer);
    return { data, source: sourceOfPlace(data), brief: thin };
  },
};
