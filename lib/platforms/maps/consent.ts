import type { Page, PageRequest, PageSession } from '../../web/page-source.js';
import { isConsentWall, saveAddress } from './consent-wall.js';
import { isData } from './response-frame.js';

/**
 * The page behind the consent wall: where `page` is the wall, its own form is answered with “reject all”, as
 * a visitor would, and the request is made again. Without such a form the wall itself is given back.
 */
export async function behindConsentWall(visit: PageSession, request: PageRequest, page: Page): Promise<Page> {
  if (!isConsentWall(page)) return page;
  const { rejectForm } = await import('./consent-form.js');
  const form = rejectForm(page.text());
  if (form === null) return page;
  const answer = await visit.fetch({
    url: saveAddress,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  // The form leads on to what was asked for first; where it did not, the cookie it set is enough.
  return answer.status === 200 && answer.url === request.url && isData(answer)
    ? answer
    : await visit.fetch(request);
}
