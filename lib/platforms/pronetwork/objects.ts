import * as z from 'zod';
import { object } from '../../object.js';
import {
  countOrNull,
  flagOrNull,
  momentOrNull,
  sizeOrNull,
  text,
  textOrNull,
  textsOrNull,
} from '../../object-fields.js';
import { person } from '../../person.js';
import { volatile } from '../../volatile.js';

const date = (description: string) =>
  z
    .string()
    .regex(/^\d{4}(-\d{2})?$/)
    .nullable()
    .describe(description);

const experience = object(() => ({
  title: textOrNull('Job title; null if the page hides it.'),
  company: textOrNull('Name of the company.'),
  company_url: textOrNull('URL of the company or school page.'),
  location: textOrNull('Location.'),
  start_date: date('As precise as the page: "2019" or "2019-04".'),
  end_date: date('As precise as the page; null for a current position.'),
  is_current: flagOrNull('Whether the position is current; null if the page shows no dates.'),
  description: textOrNull('What the person wrote about it.'),
})).describe('A position.');

const education = object(() => ({
  school: textOrNull('Name of the school.'),
  school_url: textOrNull('URL of the school page.'),
  degree: textOrNull('Degree.'),
  field_of_study: textOrNull('Field of study.'),
  start_date: date('As precise as the page.'),
  end_date: date('As precise as the page.'),
})).describe('A school, with what was studied and when.');

/** A person, as a logged-out visitor sees them. A text that the page hides behind asterisks is null. */
export const pronetworkProfile = object(() => ({
  full_name: text('Name.').register(person, { of: ['username'], as: 'name' }),
  headline: textOrNull('Line below the name.'),
  about: textOrNull('About text; ends in “…” if the page truncates it (2026).'),
  location: textOrNull('Location as the page words it.'),
  follower_count: countOrNull('Followers: exact if the page has the number, otherwise rounded as shown.'),
  connection_count: countOrNull('Connections; 500 means 500 or more.'),
  current_company: z
    .strictObject({
      name: text('Name.'),
      url: textOrNull('URL of the company page.'),
    })
    .nullable()
    .describe('Company named at the top of the page.'),
  experience: z
    .array(experience)
    .describe('Positions in the page’s order; several at one company are listed separately.'),
  education: z.array(education).describe('Schools in the page’s order.'),
  skills: textsOrNull('Skills; null for the many pages that show none.'),
}))
  .meta({ id: 'pronetwork_profile' })
  .register(person, { of: ['username'], as: 'account' });

/** A company, school or showcase page. */
export const pronetworkCompany = object(() => ({
  name: text('Name.'),
  tagline: textOrNull('Line below the name.'),
  description: textOrNull('Full About text.'),
  website: textOrNull('Website.'),
  industry: textOrNull('Industry.'),
  company_size: textOrNull('Size as the page words it, such as "1,001-5,000 employees".'),
  employees_on_pronetwork: countOrNull('Members who name the company as their employer.'),
  headquarters: textOrNull('Location of the headquarters.'),
  company_type: textOrNull('Type as the page words it, such as "Public Company".'),
  founded: z.int().min(1).max(9999).nullable().describe('Year it was founded.'),
  specialties: textsOrNull(
    'Specialties; empty if the company lists none, null if the page does not show them.',
  ),
  follower_count: countOrNull('Followers, exact.'),
})).meta({ id: 'pronetwork_company' });

const image = object(() => ({
  url: text('Signed URL; expires.').register(volatile, { as: 'media' }),
  width: sizeOrNull('Pixels.'),
  height: sizeOrNull('Pixels.'),
}));

/** A post of a person or a company. The text that a repost quotes is read as the post's own. */
export const pronetworkPost = object(() => ({
  text: textOrNull('Full text; for a repost without text, the text of the original.'),
  images: z.array(image).describe('Pictures.'),
  video: z
    .strictObject({
      url: textOrNull('Signed URL of the best file; expires.').register(volatile, { as: 'media' }),
      thumbnail_url: textOrNull('Cover.').register(volatile, { as: 'media' }),
      duration: z.number().min(0).nullable().describe('Seconds.'),
    })
    .nullable()
    .describe('Video hosted by the platform.'),
  document: z
    .strictObject({
      title: textOrNull('Title.'),
      url: textOrNull('Signed URL of its list of pages; expires.').register(volatile, { as: 'media' }),
      page_count: sizeOrNull('Pages.'),
    })
    .nullable()
    .describe('Document shown page by page.'),
  article: z
    .strictObject({
      title: textOrNull('Title.'),
      url: text('URL.'),
      thumbnail_url: textOrNull('Picture.').register(volatile, { as: 'media' }),
    })
    .nullable()
    .describe('Article, page or external video that the post links to.'),
  published_at: momentOrNull('When it was published, to the millisecond. A repost has its own time.'),
  reaction_count: countOrNull('Reactions of all kinds.'),
  reaction_breakdown: z
    .array(
      z.strictObject({
        kind: text('LIKE, EMPATHY, PRAISE, INTEREST, APPRECIATION, ENTERTAINMENT, …'),
        count: countOrNull('Reactions of this kind; the platform does not show the number.'),
      }),
    )
    .nullable()
    .describe('Up to three kinds, the most frequent first.')
    .register(volatile, { as: 'count' }),
  comment_count: countOrNull('Comments.'),
  repost_count: countOrNull('Reposts; not shown to logged-out visitors.'),
})).meta({ id: 'pronetwork_post' });

/** A job. Fields of its own page are null if the platform refused that page. */
export const pronetworkJob = object(() => ({
  title: text('Title.'),
  company: z
    .strictObject({
      name: text('Name.'),
      url: textOrNull('URL of the company page; null if there is none.'),
    })
    .nullable()
    .describe('Who is hiring.'),
  location: textOrNull('Location.'),
  workplace_type: z
    .enum(['on-site', 'hybrid', 'remote'])
    .nullable()
    .describe('As the job states it; null if it does not.'),
  employment_type: textOrNull('As the page words it, such as "Full-time".'),
  seniority_level: textOrNull('As the page words it, such as "Mid-Senior level".'),
  salary: z
    .strictObject({
      text: text('As the page words it.'),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/)
        .nullable()
        .describe('Three-letter code.'),
      min: z.number().min(0).nullable().describe('Lower end.'),
      max: z.number().min(0).nullable().describe('Upper end.'),
      period: z.enum(['hour', 'day', 'week', 'month', 'year']).nullable().describe('Pay period.'),
    })
    .nullable()
    .describe('Pay, if shown.'),
  listed_at: momentOrNull('When it was listed; midnight UTC if the page has only the day.'),
  description: textOrNull('Description as plain text.'),
})).meta({ id: 'pronetwork_job' });

export type PronetworkProfile = z.output<typeof pronetworkProfile>;
/** A position. */
export type PronetworkExperience = PronetworkProfile['experience'][number];
/** A time at a school. */
export type PronetworkEducation = PronetworkProfile['education'][number];
export type PronetworkCompany = z.output<typeof pronetworkCompany>;
export type PronetworkPost = z.output<typeof pronetworkPost>;
export type PronetworkJob = z.output<typeof pronetworkJob>;
