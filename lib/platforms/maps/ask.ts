import type { Page, PageRequest, Visit } from '../../web/page-source.js';
import { behindConsentWall } from './consent.js';
import { rootOf } from './envelope.js';
import { refuseRequest, refuseVisitor } from './outcome.js';

/** The answer to a request, past the consent wall. Throws where the platform refuses this visitor. */
export async function askPage(visit: Visit, request: PageRequest): Promise<Page> {
  const page = await behindConsentWall(visit, request, await visit.fetch(request));
  refuseVisitor(page);
  return page;
}

/** The list that a request for data is answered with. Throws for every refusal and for anything else. */
export async function ask(visit: Visit, request: PageRequest): Promise<readonly unknown[]> {
  const page = await askPage(visit, request);
  refuseRequest(page);
  return rootOf(page);
}
