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
  tagline: (html) => withoutLd(withoutElements(html, /<h4 class="top-card-layout__second-subline/), 'slogan'),
  description: (html) =>
    withoutLd(withoutElements(html, /<p[^>]*data-test-id="about-us__description"/), 'description'),
  website: (html) => withoutLd(row(html, 'website'), 'sameAs'),
  industry: (html) => row(withoutElements(html, /<h2 class="top-card-layout__headline/), 'industry'),
  company_size: only('size'),
  employees_on_pronetwork: (html) =>
    withoutLd(withoutElements(html, /<p class="face-pile__text/), 'numberOfEmployees'),
  headquarters: (html) => withoutLd(row(html, 'headquarters'), 'address'),
  company_type: only('organizationType'),
  founded: only('foundedOn'),
  specialties: { becomes: [], remove: (html) => row(html, 'specialties') },
  follower_count: (html) => html.replaceAll('527,060 followers', ''),
});
