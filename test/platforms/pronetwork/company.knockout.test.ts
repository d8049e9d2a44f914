import type { Endpoint } from '../../../lib/endpoint.js';
import { company } from '../../../lib/platforms/pronetwork/company.js';
import { type Knockout, knockOut } from '../../support/knockout.js';
import { withoutElements, withoutLd } from './markup.js';

const row = (html: string, name: string) =>
  withoutElements(html, new RegExp(`<div[^>]*data-test-id="about-us__${name}"`));
const only = (name: string): Knockout => ({ remove: (html) => row(html, name) });

await knockOut(company as Endpoint, 'rich: every row', {
  name: {
    mandatory: true,
    remove: (html) => withoutElements(html, /<h1 class="top-card-layout__title font/),
  },
  tagline: {
    remove: (html) =>
      withoutLd(withoutElements(html, /<h4 class="top-card-layout__second-subline/), 'slogan'),
  },
  description: {
    remove: (html) =>
      withoutLd(withoutElements(html, /<p[^>]*data-test-id="about-us__description"/), 'description'),
  },
  website: { remove: (html) => withoutLd(row(html, 'website'), 'sameAs') },
  industry: {
    remove: (html) => row(withoutElements(html, /<h2 class="top-card-layout__headline/), 'industry'),
  },
  company_size: only('size'),
  employees_on_pronetwork: {
    remove: (html) => withoutLd(withoutElements(html, /<p class="face-pile__text/), 'numberOfEmployees'),
  },
  headquarters: { remove: (html) => withoutLd(row(html, 'headquarters'), 'address') },
  company_type: only('organizationType'),
  founded: only('foundedOn'),
  specialties: { becomes: [], remove: (html) => row(html, 'specialties') },
  follower_count: { remove: (html) => html.replaceAll('527,060 followers', '') },
});
