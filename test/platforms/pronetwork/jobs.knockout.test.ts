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
  company: {
    remove: (html) =>
      withoutElements(html, /<h4 class="base-search-card__subtitle"/, /<span class="topcard__flavor"/),
  },
  location: {
    remove: (html) =>
      withoutElements(
        html,
        /<span class="job-search-card__location"/,
        /<span class="topcard__flavor topcard__flavor--bullet"/,
      ),
  },
  workplace_type: { remove: (html) => withoutLd(html, 'jobLocationType') },
  employment_type: { remove: (html) => withoutLd(unlabelled(html, 'Employment type'), 'employmentType') },
  seniority_level: { remove: (html) => unlabelled(html, 'Seniority level') },
  salary: {
    remove: (html) =>
      withoutElements(
        html,
        /<span class="job-search-card__salary-info"/,
        /<div class="salary compensation__salary"/,
      ),
  },
  listed_at: { remove: (html) => withoutLd(html.replaceAll(/ datetime="[^"]*"/g, ''), 'datePosted') },
  description: {
    remove: (html) => withoutLd(html.replaceAll('show-more-less-html__markup', 'x'), 'description'),
  },
  'company.url': {
    remove: (html) => html.replaceAll(/ href="[^"]*(?:job-search-card-subtitle|topcard-org-name)"/g, ''),
  },
});
