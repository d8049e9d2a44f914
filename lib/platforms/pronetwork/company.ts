import { defineEndpoint } from '../../endpoint.js';
import { pageUrl as address, text } from '../../params/vocabulary.js';
import { objectLadder } from '../../routes/ladder.js';
import { pronetworkCompany } from './objects.js';
import { companyPage } from './routes/company-page.js';
import { site } from './site.js';
import { type CompanyKind, companyOfName, companyOfUrl, type PageName } from './urls.js';

/** GET /pronetwork/company */
export const company = defineEndpoint({
  path: 'pronetwork/company',
  operation: 'get_pronetwork_company',
  summary: 'LinkedIn company: description, size, industry, headquarters and exact followers',
  description: `Reads the public page of a company, a school or a showcase. Any row of its “About us” may be missing: null.

employees_on_pronetwork counts the members who name the company as their employer; company_size is what the company itself says. Ask for a company by name: URLs with its number only lead to a login.`,
  credits: 6,
  cacheSeconds: 86_400,
  site,
  params: () => ({
    url: address('URL of the company page, on any of the platform’s hosts.'),
    vanity_name: text('The part of the company’s URL after /company/.'),
  }),
  exactlyOne: ['url', 'vanity_name'],
  renamed: { public_id: 'vanity_name', slug: 'vanity_name' },
  returns: pronetworkCompany,
  many: false,
  identify: ({ url, vanity_name }): PageName<CompanyKind> =>
    vanity_name === undefined ? companyOfUrl(url ?? '') : companyOfName(vanity_name),
  ladder: objectLadder({ routes: [companyPage] }),
});
