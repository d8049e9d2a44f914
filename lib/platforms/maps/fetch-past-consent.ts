import type { ErrorCode } from '../../errors/extract-error.js';
import type { Page, PageRequest, PageSession } from '../../web/page-source.js';
import { isConsentWall, saveAddress } from './consent-wall.js';
import { refuseRequest, refuseVisitor } from './outcome.js';
import { isData, rootOf } from './response-frame.js';

/**
 * Returns the page behind the consent wall. If `page` is the wall, submits its own “reject all” form, as a visitor
 * would, and repeats the request. Without such a form, returns the wall itself.
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
  // The form redirects to the original request; otherwise its cookie is enough.
  return answer.status === 200 && answer.url === request.url && isData(answer)
    ? answer
    : await session.fetch(request);
}

/** Returns the response past the consent wall. Throws if the platform refuses this visitor. */
export async function fetchPagePastConsent(session: PageSession, request: PageRequest): Promise<Page> {
  const page = await passConsentWall(session, request, await session.fetch(request));
  refuseVisitor(page);
  return page;
}

/**
 * Returns the list in a data response. Throws for every refusal and for anything else. `missing` is the meaning of 404.
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
