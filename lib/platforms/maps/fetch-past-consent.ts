import type { Page, PageRequest, PageSession } from '../../web/page-source.js';
import { behindConsentWall } from './consent.js';
import { refuseRequest, refuseVisitor } from './outcome.js';
import { rootOf } from './response-frame.js';

/** The answer to a request, past the consent wall. Throws where the platform refuses this visitor. */
export async function fetchPagePastConsent(visit: PageSession, request: PageRequest): Promise<Page> {
  const page = await behindConsentWall(visit, request, await visit.fetch(request));
  refuseVisitor(page);
  return page;
}

/** The list that a request for data is answered with. Throws for every refusal and for anything else. */
export async function fetchPastConsent(
  visit: PageSession,
  request: PageRequest,
): Promise<readonly unknown[]> {
  const page = await fetchPagePastConsent(visit, request);
  refuseRequest(page);
  return rootOf(page);
}
