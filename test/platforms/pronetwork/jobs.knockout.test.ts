import type { Endpoint } from '../../../lib/endpoint.js';
import { jobs } from '../../../lib/platforms/pronetwork/jobs.js';
import { knockOut } from '../../support/knockout.js';
import { withoutElements, withoutLd } from './markup.js';

/** Removes a criterion's label: rows are recognised by label, never by position. */
const unlabelled = (html: string, label: string) =>
  html.replaceAll(new RegExp(`(criteria-subheader">\\s*)${label}`, 'g'), '$1Something else');

/** Companies, places and pay are on the list and on each job's own page: both lose them. */
await knockOut(jobs as Endpoint, 'three fragments in two languages, cards that are links, a closed job', {
  title: { mandatory: true, remove: (html) => withoutElements(html, /<h3 class="base-search-card__title"/) },
  company: (html) =>
    withoutElements(html, /<h4 class="base-search-card__subtitle"/, /<span class="topcard__flavor"/),
  location: (html) =>
    withoutElements(
      html,
      /<span class="job-search-card__location"/,
      /<span class="topcard__flavor topcard__flavor--bullet"/,
    ),
  workplace_type: (html) => withoutLd(html, 'jobLocationType'),
  employment_type: (html) => withoutLd(unlabelled(html, 'Employment type'), 'employmentType'),
  seniority_level: (html) => unlabelled(html, 'Seniority level'),
  salary: (html) =>
    withoutElements(
      html,
      /<span class="job-search-card__salary-info"/,
      /<div class="salary compensation__salary"/,
    ),
  listed_at: (html) => withoutLd(html.replaceAll(/ datetime="[^"]*"/g, ''), 'datePosted'),
  description: (html) => withoutLd(html.replaceAll('show-more-less-html__markup', 'x'), 'description'),
  'company.url': (html) => html.replaceAll(/ href="[^"]*(?:job-search-card-subtitle|topcard-org-name)"/g, ''),
});
