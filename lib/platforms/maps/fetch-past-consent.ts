import type { ErrorCode } from '../../errors/extract-error.js';
import type { Page, PageRequest, PageSession } from '../../web/page-source.js';
import { isConsentWall, saveAddress } from './consent-wall.js';
import { refuseRequest, refuseVisitor } from './outcome.js';
import { isData, rootOf } from './response-frame.js';

/**
 * The page behind the consent wall. Where `page` is the wall, its own form is answered with “reject all”, as a visitor
 * would. Then the request is made again. Without such a form the wall itself is given back.
 */
export async function passConsentWall(session: PageSession, request: PageRequest, page: Page): Promise<Page> {
  if (!isConsentWall(page)) return page;
  const { rejectForm } = await import('./consent-form.js');
  const form = rejectForm(page.text());
  if (form === null) return page;
  const answer = await session.fetch({
    url: saveAddress,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  // The form leads on to what was asked for first; where it did not, the cookie it set is enough.
  return answer.status === 200 && answer.url === request.url && isData(answer)
    ? answer
    : await session.fetch(request);
}

/** The answer to a request, past the consent wall. Throws where the platform refuses this visitor. */
export async function fetchPagePastConsent(session: PageSession, request: PageRequest): Promise<Page> {
  const page = await passConsentWall(session, request, await session.fetch(request));
  refuseVisitor(page);
  return page;
}

/**
 * The list that a request for data is answered with. Throws for every refusal and for anything else. `missing` is what
 * 404 means.
 */
export async function fetchPastConsent(
  session: PageSession,
  request: PageRequest,
  missing?: ErrorCode,
): Promise<readonly unknown[]> {
  const page = await fetchPagePastConsent(session, request);
  refuseRequest(page, missing);
  return rootOf(page, missing);
}
