import type { ObjectReading, Route } from '../../../routes/route.js';
import { sourceOfPage } from '../item-sources.js';
import type { PronetworkProfile } from '../objects.js';
import { pageRequest } from '../site.js';
import { pageUrl } from '../urls.js';

/** The only route to a profile for visitors. */
export const profilePage: Route<{ readonly vanity: string }, ObjectReading<PronetworkProfile>> = {
  name: 'profile-page',
  reads: 'The public page of the person.',
  surface: 'page',
  seen: { month: '2026-08', from: ['home'] },
  fills: {
    ...{ about: 'some', location: 'some', current_company: 'some', skills: 'some' },
    ...{ experience: 'some', education: 'some' },
  },
  async read({ identity: { vanity }, session }) {
    const requested = { kind: 'in', vanity } as const;
    const page = await session.fetch(pageRequest(pageUrl(requested)));
    const { readProfilePage } = await import('../profile-page.js');
    return { data: readProfilePage(page, requested), source: sourceOfPage(page, requested) };
  },
};
