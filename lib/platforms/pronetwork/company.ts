import { defineEndpoint } from '../../endpoint.js';
import { pageUrl as address, text } from '../../params/vocabulary.js';
import { textOrNull } from '../../read/convert.js';
import { at } from '../../read/json.js';
import { objectLadder } from '../../routes/ladder.js';
import { aid } from '../../routes/rung.js';
import { pronetworkCompany } from './objects.js';
import { type CompanySubject, companyJobs, companyOf } from './routes/company-jobs.js';
import { companyNames } from './routes/company-names.js';
import { companyPage } from './routes/company-page.js';
import { site } from './site.js';
import { companyOfName, companyOfUrl } from './urls.js';

export const company = defineEndpoint({
  path: 'pronetwork/company',
  operation: 'get_pronetwork_company',
  summary: 'LinkedIn company: description, size, industry, headquarters and exact followers',
  description: `Reads the public page of a company, a school or a showcase. Any row of its “About us” may be missing: null.

employees_on_pronetwork counts the members who name the company as their employer; company_size is the company’s own statement. Identify a company by the name in its URL. Its number, and its complete name as LinkedIn writes it (“Ember & Clay”), work if the company has an open job, which names its page.`,
  credits: 6,
  cacheSeconds: 86_400,
  site,
  params: () => ({
    url: address('URL of the company page, on any of the platform’s hosts.'),
    vanity_name: text(
      'The part of the company’s URL after /company/: its name, or its number. Words with blanks are its name as LinkedIn writes it.',
    ),
  }),
  exactlyOne: ['url', 'vanity_name'],
  renamed: { public_id: 'vanity_name', slug: 'vanity_name' },
  returns: pronetworkCompany,
  many: false,
  identify: ({ url = '', vanity_name }) => ({
    ...(vanity_name === undefined ? companyOfUrl(url) : companyOfName(vanity_name)),
  }),
  ladder: objectLadder({
    resolve: companyOf,
    resolves: [
      aid(companyNames, (_: CompanySubject, facts) => textOrNull(at(facts?.item, 'name'))),
      aid(companyJobs, ({ number }: CompanySubject, facts) => number ?? facts?.source.id ?? null),
    ],
    routes: [companyPage],
  }),
});
