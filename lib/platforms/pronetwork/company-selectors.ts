/** Selectors on the page of a company, a school or a showcase. Seen in 2024-10 and 2025-07. */
export const companySections = {
  keep: {
    ld: 'script[type=application/ld+json]',
    top: 'section.top-card-layout',
    about: 'section[data-test-id=about-us]',
  },
  drop: ['div.contextual-sign-in-modal', 'div.modal', 'div.sign-in-modal'],
} as const;

export const companyTop = {
  name: 'h1.top-card-layout__title',
  tagline: 'h4.top-card-layout__second-subline',
  industry: 'h2.top-card-layout__headline',
  /** Place of the headquarters, a dot in its own element, followers. */
  subline: 'h3.top-card-layout__first-subline',
  employees: 'p.face-pile__text',
} as const;

export const aboutUs = {
  description: '[data-test-id=about-us__description]',
  website: '[data-test-id=about-us__website] dd a',
  // Phones get the second form (2023-04).
  industry: '[data-test-id=about-us__industry] dd, [data-test-id=about-us__industries] dd',
  size: '[data-test-id=about-us__size] dd',
  headquarters: '[data-test-id=about-us__headquarters] dd',
  type: '[data-test-id=about-us__organizationType] dd',
  founded: '[data-test-id=about-us__foundedOn] dd',
  specialties: '[data-test-id=about-us__specialties] dd',
  rows: 'dl > *',
} as const;

/** Rows of “about us” other than the specialties. */
export const knownRows: ReadonlySet<string> = new Set(
  ['website', 'industry', 'industries', 'size', 'headquarters', 'organizationType', 'foundedOn'].map(
    (name) => `about-us__${name}`,
  ),
);
