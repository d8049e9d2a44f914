/** Selectors on a list of jobs. Seen in 2024-08 (Swedish), 2025-09 and 2026-01. */
export const jobSections = {
  // A fragment is a bare list of items; the page form has the list among others.
  keep: { list: 'ul.jobs-search__results-list', item: 'li', none: 'section.no-results' },
  drop: [
    'div.contextual-sign-in-modal',
    'div.modal',
    'div.search-entity-media',
    'div.job-posting-benefits',
    'a.base-card__full-link',
    'icon',
    'svg',
  ],
} as const;

/** The words of a search for which the page says nothing matches (2025-10, 2026-06). */
export const noJobs = '.no-results__main-title-keywords';

export const jobCard = {
  /** Is itself a link if the company has no page: four of ten in the Swedish fragment. */
  root: '[data-entity-urn^="urn:li:jobPosting:"]',
  title: '.base-search-card__title',
  company: '.base-search-card__subtitle',
  companyLink: '.base-search-card__subtitle a',
  location: '.job-search-card__location',
  salary: '.job-search-card__salary-info',
  /** The class has the suffix `--new` on the first day. */
  date: 'time[class*=job-search-card__listdate]',
} as const;

/** Selectors on a job's own page, and in its fragment. Seen in 2024-11 and 2026-09. */
export const jobPageSections = {
  keep: {
    ld: 'script[type=application/ld+json]',
    top: 'section.top-card-layout',
    compensation: 'section.compensation',
    salary: 'div.compensation__salary',
    description: 'div.show-more-less-html__markup',
    criteria: 'ul.description__job-criteria-list',
  },
  drop: ['div.contextual-sign-in-modal', 'div.modal', 'div.sign-in-modal', 'icon', 'svg'],
} as const;

export const jobPage = {
  title: '.top-card-layout__title, .topcard__title',
  link: 'a.topcard__link',
  company: 'a.topcard__org-name-link',
  companyText: '.topcard__flavor:not(.topcard__flavor--bullet):not(.topcard__flavor--metadata)',
  location: 'span.topcard__flavor--bullet:not(.topcard__flavor--metadata)',
  salary: '.compensation__salary',
  description: '.show-more-less-html__markup',
  criteria: '.description__job-criteria-list li',
  label: '.description__job-criteria-subheader',
  value: '.description__job-criteria-text',
} as const;

/** Labels of the criteria, in English as requested, in the order of all pages seen (2024-11 to 2026-09). */
export const jobLabels: readonly (string | undefined)[] = [
  'seniority level',
  'employment type',
  'job function',
  'industries',
];
