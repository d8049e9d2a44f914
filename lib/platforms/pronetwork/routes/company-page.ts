import type { ObjectReading, Route } from '../../../routes/route.js';
import { sourceOfPage } from '../item-sources.js';
import type { PronetworkCompany } from '../objects.js';
import { pageRequest } from '../site.js';
import { pageUrl } from '../urls.js';
import { type CompanySubject, requireNumber } from './company-jobs.js';

/** The public page of a company, a school or a showcase. */
export const companyPage: Route<CompanySubject, ObjectReading<PronetworkCompany>> = {
  name: 'company-page',
  reads: 'The public page of the company.',
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
    const data = readCompanyPage(page, identity);
    const source = sourceOfPage(page, identity);
    requireNumber(identity, source);
    return { data, source };
  },
};
