import * as z from 'zod';
import { object } from '../../object.js';

const textOrNull = (description: string) => z.string().nullable().describe(description);
const count = (description: string) => z.int().min(0).nullable().describe(description);
const moment = (description: string) => z.iso.datetime().nullable().describe(description);
const date = (description: string) =>
  z
    .string()
    .regex(/^\d{4}(-\d{2})?$/)
    .nullable()
    .describe(description);

const experience = object(() => ({
  title: textOrNull('Position; null where the page hides it.'),
  company: textOrNull('Name of the company.'),
  company_url: textOrNull('Page of the company or school.'),
  location: textOrNull('Place.'),
  start_date: date('As precise as the page: "2019" or "2019-04".'),
  end_date: date('As precise as the page; null for a position still held.'),
  is_current: z.boolean().nullable().describe('Still held; null where the page shows no dates.'),
  description: textOrNull('What the person wrote about it.'),
})).describe('A position.');

const education = object(() => ({
  school: textOrNull('Name of the school.'),
  school_url: textOrNull('Page of the school.'),
  degree: textOrNull('Degree.'),
  field_of_study: textOrNull('Field of study.'),
  start_date: date('As precise as the page.'),
  end_date: date('As precise as the page.'),
})).describe('A time at a school.');

/** A person, as a logged-out visitor sees them. What the page hides behind asterisks is null. */
export const pronetworkProfile = object(() => ({
  full_name: z.string().min(1).describe('Name.'),
  headline: textOrNull('Line below the name.'),
  about: textOrNull('About text, in full.'),
  location: textOrNull('Place, as the page words it.'),
  follower_count: count('Followers: exact where the page carries the number, else rounded as it shows it.'),
  connection_count: count('Connections; 500 means 500 or more.'),
  current_company: z
    .strictObject({
      name: z.string().min(1).describe('Name.'),
      url: textOrNull('Page of the company.'),
    })
    .nullable()
    .describe('Company named at the top of the page.'),
  experience: z.array(experience).describe('Positions in the page’s order, those of one company apart.'),
  education: z.array(education).describe('Schools in the page’s order.'),
  skills: z.array(z.string()).nullable().describe('Skills; null where the page shows none, as most do.'),
})).meta({ id: 'pronetwork_profile' });

/** A company, school or showcase page. */
export const pronetworkCompany = object(() => ({
  name: z.string().min(1).describe('Name.'),
  tagline: textOrNull('Line below the name.'),
  description: textOrNull('About text, in full.'),
  website: textOrNull('Website.'),
  industry: textOrNull('Industry.'),
  company_size: textOrNull('Size as the page words it: "1,001-5,000 employees".'),
  employees_on_pronetwork: count('Members who name the company as their employer.'),
  headquarters: textOrNull('Place of the headquarters.'),
  company_type: textOrNull('Legal kind as the page words it: "Public Company".'),
  founded: z.int().min(1).max(9999).nullable().describe('Year of foundation.'),
  specialties: z.array(z.string()).describe('Specialties; empty where the page lists none.'),
  follower_count: count('Followers, exact.'),
})).meta({ id: 'pronetwork_company' });

const image = object(() => ({
  url: z.string().min(1).describe('Signed address; it expires.'),
  width: z.int().min(1).nullable().describe('Pixels.'),
  height: z.int().min(1).nullable().describe('Pixels.'),
}));

/** A post of a person or a company. What a repost quotes is read as the post's own. */
export const pronetworkPost = object(() => ({
  text: textOrNull('Text in full; of a repost without words of its own, the text of what it reposts.'),
  images: z.array(image).describe('Pictures.'),
  video: z
    .strictObject({
      url: textOrNull('Signed address of the best file; it expires.'),
      thumbnail_url: textOrNull('Cover.'),
      duration: z.number().min(0).nullable().describe('Seconds.'),
    })
    .nullable()
    .describe('Video of the platform’s own.'),
  document: z
    .strictObject({
      title: textOrNull('Title.'),
      url: textOrNull('Signed address of the list of its pages; it expires.'),
      page_count: z.int().min(1).nullable().describe('Pages.'),
    })
    .nullable()
    .describe('Document shown page by page.'),
  article: z
    .strictObject({
      title: textOrNull('Title.'),
      url: z.string().min(1).describe('Address.'),
      thumbnail_url: textOrNull('Picture.'),
    })
    .nullable()
    .describe('Article, page or foreign video that the post links to.'),
  published_at: moment('When it was published, to the millisecond. A repost has its own moment.'),
  reaction_count: count('Reactions of all kinds.'),
  reaction_breakdown: z
    .array(
      z.strictObject({
        kind: z.string().min(1).describe('LIKE, EMPATHY, PRAISE, INTEREST, APPRECIATION, ENTERTAINMENT, …'),
        count: count('Reactions of the kind; the platform does not show it.'),
      }),
    )
    .nullable()
    .describe('The up to three most frequent kinds.'),
  comment_count: count('Comments.'),
  repost_count: count('Reposts; not shown to logged-out visitors.'),
})).meta({ id: 'pronetwork_post' });

/** A job. Fields of its own page are null where the platform refused that page. */
export const pronetworkJob = object(() => ({
  title: z.string().min(1).describe('Title.'),
  company: z
    .strictObject({
      name: z.string().min(1).describe('Name.'),
      url: textOrNull('Page of the company; null for a company without one.'),
    })
    .nullable()
    .describe('Who is hiring.'),
  location: textOrNull('Place.'),
  workplace_type: z
    .enum(['on-site', 'hybrid', 'remote'])
    .nullable()
    .describe('Known where it was asked for, and of remote jobs that say so.'),
  employment_type: textOrNull('As the page words it: "Full-time".'),
  seniority_level: textOrNull('As the page words it: "Mid-Senior level".'),
  salary: z
    .strictObject({
      text: z.string().min(1).describe('As the page words it.'),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/)
        .nullable()
        .describe('Three-letter code.'),
      min: z.number().min(0).nullable().describe('Lower end.'),
      max: z.number().min(0).nullable().describe('Upper end.'),
      period: z.enum(['hour', 'day', 'week', 'month', 'year']).nullable().describe('What it is paid for.'),
    })
    .nullable()
    .describe('Pay, where shown.'),
  listed_at: moment('When it was listed; midnight UTC where the page gives the day alone.'),
  description: textOrNull('Description as text.'),
})).meta({ id: 'pronetwork_job' });

export type PronetworkProfile = z.output<typeof pronetworkProfile>;
/** A position. */
export type PronetworkExperience = PronetworkProfile['experience'][number];
/** A time at a school. */
export type PronetworkEducation = PronetworkProfile['education'][number];
export type PronetworkCompany = z.output<typeof pronetworkCompany>;
export type PronetworkPost = z.output<typeof pronetworkPost>;
export type PronetworkJob = z.output<typeof pronetworkJob>;
