/** Selectors on a profile page. Seen in 2024-04, 2024-10 and 2026-07. */
export const profileSections = {
  keep: {
    ld: 'script[type=application/ld+json]',
    missing: 'div.page-not-found',
    missingSection: 'section.page-not-found',
    top: 'section.top-card-layout',
    about: 'section[data-section=summary]',
    experience: 'section[data-section=experience]',
    // Replaces the experience section if the page hides it from this visitor (2026-07).
    blurred: 'div.experience-education__list',
    education: 'section[data-section=educationsDetails]',
    skills: 'section[data-section=skills]',
  },
  // Six or seven of these repeat name and picture (2026-07).
  drop: ['div.contextual-sign-in-modal', 'div.modal', 'div.sign-in-modal'],
} as const;

/** Traces that a page's lists leave in its markup, even if one of their names changes. */
export const traces = {
  experience:
    /experience-(?:item|group|education__list)|experience__list|data-section="experience"|"visible-list"/,
  education: /education__list-item|<section[^<>]*data-section="educationsDetails"/,
} as const;

export const topCard = {
  name: 'h1.top-card-layout__title',
  headline: 'h2.top-card-layout__headline',
  // 2026: the location is directly in the line, counts in their own list; 2024: all in that list.
  place: '.profile-info-subheader > span',
  // Among them, “Contact info” opens a dialog (2024-03).
  listed: '.profile-info-subheader .not-first-middot > span:not([data-modal])',
  company:
    '[data-section=currentPositionsDetails] [data-tracking-control-name=public_profile_topcard-current-company]',
  companyName: '.top-card-link__description',
} as const;

export const aboutText = '.core-section-container__content p';

export const experienceItems = {
  /** Children of the list: single positions and groups. Every item has `currentPositionsDetails`, past ones too. */
  items: '.experience__list > li',
  positions: '.experience-group__positions > li',
  groupCompany: '.experience-group-header__company',
  groupLink: 'a.experience-group-header__url',
  title: '.experience-item__title',
  company: '.experience-item__subtitle',
  link: 'a[href*="/company/"], a[href*="/school/"], a[href*="/showcase/"]',
  dates: '.date-range',
  time: 'time',
  meta: '.experience-item__meta-item',
  description:
    '[data-section=currentPositions] .show-more-less-text, .experience-item__meta-item .show-more-less-text',
  whole: '.show-more-less-text__text--more',
  clamped: '.show-more-less-text__text--less',
} as const;

/** In the blurred list only company names are readable; everything else is asterisks. */
export const blurredItems = { company: '.visible-list h3' } as const;

export const educationItems = {
  items: 'li.education__list-item',
  school: 'h3',
  link: 'a[href*="/school/"], a[href*="/company/"]',
  /** Degree, field of study, grade: none to three of them. */
  facts: 'h4 .control-transition',
  dates: '.date-range',
  time: 'time',
} as const;

export const skillItems = {
  items: 'li.skills__item',
  /** Items that expand and collapse the list. */
  control: 'button',
} as const;
