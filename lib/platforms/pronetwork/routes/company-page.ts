import type { Found, Route } from '../../../routes/route.js';
import { sourceOfPage } from '../item-sources.js';
import type { PronetworkCompany } from '../objects.js';
import { pageRequest } from '../site.js';
import { type CompanyKind, type PageName, pageUrl } from '../urls.js';

/** The public page of a company, a school or a showcase. */
export const companyPage: Route<PageName<CompanyKind>, Found<PronetworkCompany>> = {
  name: 'company-page',
  reads: 'The public page of the company',
  surface: 'page',
  seen: { month: '2026-09', from: ['home'] },
  fills: {
    ...{ tagline: 'some', description: 'some', website: 'some', industry: 'some', company_size: 'some' },
    ...{ employees_on_pronetwork: 'some', headquarters: 'some', company_type: 'some', founded: 'some' },
    ...{ specialties: 'some', follower_count: 'some' },
  },
  async read({ identity, session }) {
    const page = await session.fetch(pageRequest(pageUrl(identity)));
    const { readCompanyPage } = await import('../company-page.js');
    return { data: readCompanyPage(page, identity), source: sourceOfPage(page, identity) };
  },
};
