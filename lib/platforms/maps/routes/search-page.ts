import type { Part, Route } from '../../../routes/route.js';
import { fetchPagePastConsent } from '../fetch-past-consent.js';
import type { MapsPlace } from '../objects.js';
import { preloadLink } from '../preload-link.js';
import { searchPage, searchPageUrl } from '../requests.js';
import type { SearchSubject } from '../search-subject.js';
import { fetchSearch, partOfSearch } from './search.js';

/** The first results, by the request that the search page preloads. */
export const searchPageLink: Route<SearchSubject, Part<MapsPlace>> = {
  name: 'search-page',
  reads: 'The first 20 results, by the request that the page of the search announces.',
  surface: 'page',
  seen: { month: '2026-03', from: [] },
  fills: { user_ratings_total: 'some' },
  async read({ identity, session }) {
    const { query, language, country, area } = identity;
    const page = await fetchPagePastConsent(session, { url: searchPageUrl(query, language, country, area) });
    const { answer, thin } = await fetchSearch({ session }, { url: preloadLink(page, '/search') }, query);
    const part = partOfSearch(answer, identity, { offset: 0, skip: 0 }, searchPage);
    return { ...part, next: null, ended: 'unknown', brief: thin };
  },
};
